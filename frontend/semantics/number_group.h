// The meaning of an integer expression whose number has a name: `errno`, signals, the flags of open(2).
#pragma once

#include <optional>

#include "catalog/number_names.h"
#include "frontend/semantics/semantics.h"

namespace dscope {

// Nothing for expressions that compute or store such a number. In a clause with several probes, all must agree.
std::optional<NumberGroup> number_group(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

}  // namespace dscope
