// The scratch memory that copyin() calls of constant sizes need, for the default of option scratchsize.
#pragma once

#include "frontend/semantics/semantics.h"

namespace dscope {

// With the default scratchsize, a clause may copy this many bytes by calls with constant sizes.
constexpr uint64_t max_default_scratch_bytes = 16384;

// The most bytes that a clause with such a copyin() allocates; 0 if no clause has one. Leaves out allocations whose
// size is known only at run time.
uint64_t needed_scratch_bytes(const Semantics& meaning);

}  // namespace dscope
