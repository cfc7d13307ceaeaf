// The size limit of a string expression. It determines the size of record slots and keys.
#pragma once

#include <cstdint>

#include "frontend/semantics/semantics.h"

namespace dscope {

// Returns the most bytes that a string expression can need, including the terminator (at most strsize + 1): 17 for
// execname, the length of a literal or char array.
uint32_t string_bound(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

}  // namespace dscope
