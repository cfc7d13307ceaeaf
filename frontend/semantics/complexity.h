// The number of paths through a clause, which determines the kernel verifier's work.
#pragma once

#include "frontend/semantics/semantics.h"

namespace dscope {

// Counts the points of a clause where two paths join: ?:, && and ||, comparisons as values, if, and accesses to array
// elements and thread-locals that may not exist. The verifier checks up to 2^joins paths, unless it can merge two paths
// where they join.
uint32_t count_joins(const Semantics& meaning, const ClauseInstance& clause);

// Whether the value of `op` is always 0 or 1: comparisons and logical operators.
bool is_boolean_operator(BinaryOp op);

}  // namespace dscope
