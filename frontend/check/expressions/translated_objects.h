// TranslatedObjects: uses of objects that xlate creates. Each use of a member is expanded in place (d-language.md 2.5).
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class Translators;
class TypeBuilder;
class TypeFinder;

class TranslatedObjects : private CheckerPart {
 public:
  TranslatedObjects(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions,
                    Translators& translators, TypeBuilder& type_builder, TypeFinder& type_finder)
      : CheckerPart(context),
        expansions_(expansions),
        expressions_(expressions),
        translators_(translators),
        type_builder_(type_builder),
        type_finder_(type_finder) {}

  TypeId type_of(const TranslatedObject& object);
  ExprInfo add(TranslatedObject object);
  ExprInfo check(const Expr& expr, const Xlate& form);
  ExprInfo check_member(const Expr& expr, const Member& form, const TranslatedObject& object);
  ExprInfo as_untranslated(const Expr& expr, ExprInfo meaning);
  ExprInfo evaluate_whole(const Expr& expr, const TranslatedObject& object);
  ExprInfo translated_argument(const Expr& expr, const ProbeArg& argument, const ExprInfo& native);

 private:
  const Expr* expand_member(const Expr& use, const TranslatedObject& object, const TranslatorMember& member,
                            TypeId type);

  Expansions& expansions_;
  ExpressionTyper& expressions_;
  Translators& translators_;
  TypeBuilder& type_builder_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
