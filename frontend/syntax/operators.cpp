#include "frontend/syntax/operators.h"

#include "support/check.h"

namespace dscope {

std::string_view to_text(BinaryOp op) {
  switch (op) {
    case BinaryOp::Multiply: return "*";
    case BinaryOp::Divide: return "/";
    case BinaryOp::Modulo: return "%";
    case BinaryOp::Add: return "+";
    case BinaryOp::Subtract: return "-";
    case BinaryOp::ShiftLeft: return "<<";
    case BinaryOp::ShiftRight: return ">>";
    case BinaryOp::Less: return "<";
    case BinaryOp::LessEqual: return "<=";
    case BinaryOp::Greater: return ">";
    case BinaryOp::GreaterEqual: return ">=";
    case BinaryOp::Equal: return "==";
    case BinaryOp::NotEqual: return "!=";
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitXor: return "^";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::LogicalAnd: return "&&";
    case BinaryOp::LogicalXor: return "^^";
    case BinaryOp::LogicalOr: return "||";
  }
  DS_UNREACHABLE();
}

std::string_view to_text(UnaryOp op) {
  switch (op) {
    case UnaryOp::Plus: return "+";
    case UnaryOp::Minus: return "-";
    case UnaryOp::BitNot: return "~";
    case UnaryOp::Not: return "!";
    case UnaryOp::Deref: return "*";
    case UnaryOp::AddressOf: return "&";
    case UnaryOp::PreIncrement:
    case UnaryOp::PostIncrement: return "++";
    case UnaryOp::PreDecrement:
    case UnaryOp::PostDecrement: return "--";
  }
  DS_UNREACHABLE();
}

bool is_step(UnaryOp op) {
  return op == UnaryOp::PreIncrement || op == UnaryOp::PreDecrement || op == UnaryOp::PostIncrement ||
         op == UnaryOp::PostDecrement;
}

const Expr* changed_operand(const Expr& expr) {
  if (const auto* assign = std::get_if<Assign>(&expr.form)) return assign->lhs;
  const auto* unary = std::get_if<Unary>(&expr.form);
  return unary != nullptr && is_step(unary->op) ? unary->operand : nullptr;
}

}  // namespace dscope
