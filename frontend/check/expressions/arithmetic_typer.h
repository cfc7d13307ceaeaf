// ArithmeticTyper: arithmetic, shifts, and + and - on pointers (d-language.md 3.6, 4.5).
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class TypeErrors;
class TypeFinder;

class ArithmeticTyper : private CheckerPart {
 public:
  ArithmeticTyper(CheckContext& context, TypeErrors& type_errors, TypeFinder& type_finder)
      : CheckerPart(context), type_errors_(type_errors), type_finder_(type_finder) {}

  bool divides_by_zero(const Expr& expr, BinaryOp op, const ExprInfo& right);
  ExprInfo check_arithmetic(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_shift(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_additive(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  bool check_constant_index(const Expr& expr, const ExprInfo& array, const ExprInfo& index);

 private:
  ExprInfo integer_result(BinaryOp op, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_offset(const Expr& expr, const Binary& form, const ExprInfo& base, const ExprInfo& offset);
  ExprInfo check_difference(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);

  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
