// Kernel code between a probe and its program, which `caller` and `stackdepth` must skip (private to plan_builder).
#pragma once

#include "frontend/plan/plan_builder.h"

namespace dscope {

class Host;

// Fills ProgramLayout::tracer_code. Reading the kernel's symbols takes 50 ms, so it does nothing for programs that read
// neither of the two variables.
void find_tracer_code(const Semantics& meaning, Host& host, CompiledPlan& out);

}  // namespace dscope
