// ConversionTyper: casts, stringof, sizeof, offsetof (d-language.md 3.7).
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class HeldValues;
class MemberTyper;
class PendingMistakes;
class TypeBuilder;
class TypeFinder;

class ConversionTyper : private CheckerPart {
 public:
  ConversionTyper(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions, HeldValues& held_values,
                  MemberTyper& members, TypeBuilder& type_builder, TypeFinder& type_finder, PendingMistakes& pending)
      : CheckerPart(context),
        expansions_(expansions),
        expressions_(expressions),
        held_values_(held_values),
        members_(members),
        type_builder_(type_builder),
        type_finder_(type_finder),
        pending_(pending) {}

  ExprInfo check(const Expr& expr, const Cast& form);
  ExprInfo check(const Expr& expr, const Stringof& form);
  ExprInfo check(const Expr& expr, const SizeofExpr& form);
  ExprInfo check(const Expr& expr, const SizeofType& form);
  ExprInfo check(const Expr& expr, const Offsetof& form);

 private:
  bool can_cast(TypeId type, const ExprInfo& operand) const;
  ExprInfo check_cast(TypeId type, const ExprInfo& operand);
  ExprInfo size_constant(const Expr& expr, TypeId type);

  Expansions& expansions_;
  ExpressionTyper& expressions_;
  HeldValues& held_values_;
  MemberTyper& members_;
  TypeBuilder& type_builder_;
  TypeFinder& type_finder_;
  PendingMistakes& pending_;
};

}  // namespace dscope
