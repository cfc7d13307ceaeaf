// Names of LLVM values in dumps (private to codegen).
#pragma once

#include <string_view>

#include "codegen/lower/lowering.h"

namespace dscope {

// Names `value` after the expression that computes it, with `prefix` in front, if debug information is enabled:
// "self.start" for self->start, "key.pid". Leaves constants and values that have a name alone.
void name_after(const Lowering& core, V value, const Expr& expr, std::string_view prefix = {});

}  // namespace dscope
