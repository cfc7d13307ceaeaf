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

}  // namespace dscope
