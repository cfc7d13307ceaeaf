// Limits that a compiled program must keep before it is loaded: sizes that options grant, the number of clauses,
// actions that need an option. None of the checks touches the kernel.
#pragma once

#include "contract/program_plan.h"
#include "driver/compile/compilation.h"
#include "driver/run/awaited_probes.h"
#include "support/result.h"

namespace dscope {

// Fails if more clauses share one BPF program than the kernel can verify in time. Called before code is generated.
Result<> check_clause_counts(const Compilation& compilation);

// Fails if the program matches no probes, is destructive without permission, asks for a CPU that does not exist, or
// needs more buffer space than the options grant. `plan`: completed by code generation.
Result<> check_enabling(const Compilation& compilation, const ProgramPlan& plan, const AwaitedProbes& awaited);

}  // namespace dscope
