// OperatorTyper: unary operators and ?:, and the choice of the rule for a binary operator (d-language.md 4.1, 4.2).
#pragma once

#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class AddressSpaces;
class ArithmeticTyper;
class AssignmentTyper;
class ComparisonTyper;
class ExpressionTyper;
class NameTable;
class NameTyper;
class StabilityRules;
class TranslatedObjects;
class TypeErrors;
class TypeFinder;

class OperatorTyper : private CheckerPart {
 public:
  OperatorTyper(CheckContext& context, AddressSpaces& spaces, ArithmeticTyper& arithmetic, AssignmentTyper& assignments,
                ComparisonTyper& comparisons, ExpressionTyper& expressions, NameTable& names, NameTyper& name_typer,
                TranslatedObjects& translated_objects, TypeErrors& type_errors, TypeFinder& type_finder,
                StabilityRules& stability)
      : CheckerPart(context),
        spaces_(spaces),
        arithmetic_(arithmetic),
        assignments_(assignments),
        comparisons_(comparisons),
        expressions_(expressions),
        names_(names),
        name_typer_(name_typer),
        translated_objects_(translated_objects),
        type_errors_(type_errors),
        type_finder_(type_finder),
        stability_(stability) {}

  ExprInfo check(const Expr& expr, const Unary& form);
  ExprInfo check(const Expr& expr, const Ternary& form);
  ExprInfo check(const Expr& expr, const Binary& form);

 private:
  ExprInfo check_sign(const Expr& expr, UnaryOp op, const ExprInfo& operand);
  ExprInfo check_not(const Expr& expr, const ExprInfo& operand);
  ExprInfo check_deref(const Expr& expr, const Unary& form, const ExprInfo& operand);
  ExprInfo check_address_of(const Expr& expr, const Unary& form, const ExprInfo& operand);
  ExprInfo check_step(const Expr& expr, const Unary& form);
  bool check_branch_kind(const Expr& expr, const ExprInfo& branch);
  ExprInfo check_constant_choice(const Expr& expr, const Expr& taken, const Expr& other);
  ExprInfo check_branches(const Expr& expr, const ExprInfo& first, const ExprInfo& second);

  AddressSpaces& spaces_;
  ArithmeticTyper& arithmetic_;
  AssignmentTyper& assignments_;
  ComparisonTyper& comparisons_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  NameTyper& name_typer_;
  TranslatedObjects& translated_objects_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
  StabilityRules& stability_;
};

}  // namespace dscope
