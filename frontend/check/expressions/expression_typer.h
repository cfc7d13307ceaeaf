// ExpressionTyper: types an expression by dispatching on its form, and records the result.
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class StabilityRules;
class TranslatedObjects;
class TypingState;

class AssignmentTyper;
class CallTyper;
class ConversionTyper;
class ElementTyper;
class MemberTyper;
class NameTyper;
class OperatorTyper;

// The classes that type the forms of expressions.
struct FormTypers {
  NameTyper& names;
  OperatorTyper& operators;
  AssignmentTyper& assignments;
  ConversionTyper& conversions;
  MemberTyper& members;
  ElementTyper& elements;
  CallTyper& calls;
  TranslatedObjects& translated_objects;
};

class ExpressionTyper : private CheckerPart {
 public:
  ExpressionTyper(CheckContext& context, Expansions& expansions, StabilityRules& stability, TypingState& typing,
                  TranslatedObjects& translated_objects, FormTypers forms)
      : CheckerPart(context),
        expansions_(expansions),
        stability_(stability),
        typing_(typing),
        translated_objects_(translated_objects),
        forms_(forms) {}

  ExprInfo check(const Expr& expr);
  ExprInfo store(const Expr& expr, ExprInfo info);
  // Types an expression that is compared or tested for truth.
  ExprInfo check_condition(const Expr& expr);
  // `&expr` is being typed: names in the operand are not read.
  void set_addressed(const Expr& operand) { addressed_ = &operand; }
  bool is_addressed(const Expr& expr) const { return addressed_ == &expr; }
  // If the expression fails, the checker drops the error and types another expression instead, so expensive hints are
  // useless.
  bool has_alternative() const { return has_alternative_; }

 private:
  ExprInfo check_form(const Expr& expr);
  ExprInfo check_literal(const IntLiteral& form);
  ExprInfo check_alternative(const Alternative& form);
  ExprInfo check_comma(const Expr& expr, const Comma& form);

  Expansions& expansions_;
  StabilityRules& stability_;
  TypingState& typing_;
  TranslatedObjects& translated_objects_;

  FormTypers forms_;
  const Expr* addressed_ = nullptr;  // the operand of the last &
  bool has_alternative_ = false;
  uint32_t depth_ = 0;
};

}  // namespace dscope
