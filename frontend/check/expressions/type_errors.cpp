#include "frontend/check/expressions/type_errors.h"

namespace dscope {

void TypeErrors::report_argument(const Expr& expr, const Expr& argument, Tag tag, std::string_view name, size_t number,
                                 std::string_view wanted, std::string_view found) {
  fail(tag, caret_at(expr, argument),
       "{}( ) argument #{} is incompatible with prototype:\n\tprototype: {}\n\t argument: {}", name, number, wanted,
       found);
}

ExprInfo TypeErrors::report_operand(Tag tag, const Expr& expr, std::string_view op, std::string_view wanted,
                                    const ExprInfo& left, const ExprInfo* right) {
  if (right == nullptr)
    return fail(tag, expr.at, "operand of {} must be {}, not {}", op, wanted, types_.spell(left.type));
  return fail(tag, expr.at, "operands of {} must be {}, not {} and {}", op, wanted, types_.spell(left.type),
              types_.spell(right->type));
}

ExprInfo TypeErrors::report_incompatible(const Expr& expr, std::string_view op, const ExprInfo& left,
                                         const ExprInfo& right) {
  fail(Tag::D_OP_INCOMPAT, expr.at, "operator {} cannot be applied to {} and {}", op, types_.spell(left.type),
       types_.spell(right.type));
  diagnostics_.hint(incompatibility_hint(op, left, right));
  return {};
}

std::string TypeErrors::incompatibility_hint(std::string_view op, const ExprInfo& left, const ExprInfo& right) const {
  if (left.type == types_.dynamic_type() || right.type == types_.dynamic_type())
    return "programs cannot read aggregations; store the value in a variable: `start[tid] = timestamp;`";
  bool has_text = types_.is_string(left.type) || types_.is_string(right.type);
  bool has_number = types_.is_integer(left.type) || types_.is_integer(right.type);
  if (op == "=" && diagnostics_.phase() == DiagnosticPhase::Predicate) return "`=` assigns; `==` compares";
  if ((op == "+" || op == "+=") && has_text && !has_number) return "join strings with strjoin(a, b)";
  if (has_text && has_number)
    return "one operand is a string, the other a number: convert one with lltostr() or strtoll()";
  if (op == "=" && types_.is_pointer(left.type) && has_number) return "cast the number to an address: `(type *)x`";
  return "";
}

}  // namespace dscope
