// Inlines: constants, expressions, aliases of variables, and expressions with parameters (d-language.md 2.4).
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

struct Parameters;
class ExpressionTyper;
class NameTable;
class PendingMistakes;
class TranslatedObjects;
class TypeBuilder;
class TypingState;

struct DefinedInline {
  InlineId id;
  const InlineDefinition* definition = nullptr;
  UnitScope unit;  // that defines it
  bool is_typed = false;
  bool is_being_typed = false;  // on its first use
};

class Inlines : private CheckerPart {
 public:
  Inlines(CheckContext& context, ExpressionTyper& expressions, NameTable& names, PendingMistakes& pending,
          TranslatedObjects& translated_objects, TypeBuilder& type_builder, TypingState& typing)
      : CheckerPart(context),
        expressions_(expressions),
        names_(names),
        pending_(pending),
        translated_objects_(translated_objects),
        type_builder_(type_builder),
        typing_(typing) {}

  void define(const InlineDefinition& definition);
  void type(DefinedInline& defined);
  void type_on_use(InlineId id, const Expr& use);
  ExprInfo type_definition(const Expr& value, const Parameters* parameters);
  // Types all typed inlines again, each in the unit that defines it.
  void type_again();

 private:
  bool check_name(const InlineDefinition& definition);
  bool is_typed_late(const Position& at, const Expr& value) const;
  void check_value(DefinedInline& defined, const ExprInfo& found);

  ExpressionTyper& expressions_;
  NameTable& names_;
  PendingMistakes& pending_;
  TranslatedObjects& translated_objects_;
  TypeBuilder& type_builder_;
  TypingState& typing_;

  std::vector<DefinedInline> definitions_;
};

}  // namespace dscope
