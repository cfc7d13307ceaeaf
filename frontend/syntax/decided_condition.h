// Conditions that the options of a script decide when it is parsed.
#pragma once

#include <optional>

#include "frontend/syntax/ast_expressions.h"

namespace dscope {

// The value of a condition that consists of options of the script and constants; nothing if the run decides it. Of
// `&&` and `||` the first operand suffices.
std::optional<bool> decided_condition(const Expr& condition);

}  // namespace dscope
