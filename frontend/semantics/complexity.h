// How many ways lead through a clause: what the kernel's verifier has to do for it.
#pragma once

#include "frontend/semantics/semantics.h"

namespace dscope {

// The places of a clause where two ways meet again: ?:, && and ||, comparisons used as values, if, elements and
// thread-locals that may not exist. Verifying costs up to 2^this, unless the ways look the same where they meet.
uint32_t count_joins(const Semantics& meaning, const ClauseInstance& clause);

// Comparisons and logical operators: their value is 0 or 1.
bool gives_truth(BinaryOp op);

}  // namespace dscope
