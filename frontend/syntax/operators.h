// The spelling of operators in D.
#pragma once

#include <string_view>

#include "frontend/syntax/ast.h"

namespace dscope {

// "*" for BinaryOp::Multiply.
std::string_view to_text(BinaryOp op);
// "++" for both PreIncrement and PostIncrement.
std::string_view to_text(UnaryOp op);

}  // namespace dscope
