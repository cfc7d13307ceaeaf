// Checks of a compiled program before it is loaded: the sizes that options allow, the number of clauses, actions that
// need an option. The checks do not touch the kernel.
#pragma once

#include "contract/program_plan.h"
#include "driver/compile/compilation.h"
#include "driver/run/messages.h"
#include "driver/trace/awaited_probes.h"
#include "support/result.h"

namespace dscope {

// Fails if more clauses share one BPF program than the kernel can verify in time. Called before code is generated.
Result<> check_clause_counts(const Compilation& compilation);

// Fails if the program matches no probes, is destructive without permission, names a CPU that does not exist, or needs
// more buffer space than the options allow. `plan`: completed by code generation. `forbids_destructive`: no option
// permits destructive actions.
Result<> check_enabling(const Compilation& compilation, const ProgramPlan& plan, const AwaitedProbes& awaited,
                        bool forbids_destructive, MessageStyle style);

}  // namespace dscope
