// How many bytes a string expression can need. Record slots and keys are sized by it.
#pragma once

#include <cstdint>

#include "frontend/semantics/semantics.h"

namespace dscope {

// Bytes a string expression can need, terminator included (at most strsize + 1): execname 17, literals their length,
// char arrays theirs. Record slots and key slots are sized by it.
uint32_t string_bound(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

}  // namespace dscope
