// optimize() and emit_object(): LLVM module -> BPF object in memory. Runs LLVM's BPF back end in this process.
#pragma once

#include <string>

#include "codegen/core/ir_module.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Default: the passes that make our programs smaller. Quick: fewer passes, which leave 5 % more instructions. Full:
// LLVM's O2, for programs that the verifier rejected: its different register allocation may pass.
enum class Effort : uint8_t { Quick, Default, Full };
// Quick for large modules, where Default would spend a third of the run on passes.
Effort default_effort(IrModule& ir);

// Links the support functions that the module calls, internalizes all functions but the programs, and runs the passes.
Result<> optimize(IrModule& ir, bool is_cpu_v4, Effort effort = Effort::Default);
Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4);
// BPF assembly, for --dump=asm.
Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4);

}  // namespace dscope
