// The spelling of operators in D, and the operators that change their operand.
#pragma once

#include <string_view>

#include "frontend/syntax/ast.h"

namespace dscope {

// "*" for BinaryOp::Multiply.
std::string_view to_text(BinaryOp op);
// "++" for both PreIncrement and PostIncrement.
std::string_view to_text(UnaryOp op);

// Whether the operator is ++ or --, before or after its operand.
bool is_step(UnaryOp op);
// Returns the operand that an assignment, ++ or -- changes; null for any other expression.
const Expr* changed_operand(const Expr& expr);

}  // namespace dscope
