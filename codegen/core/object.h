// optimize() and emit_object(): LLVM module -> BPF object in memory, by LLVM's BPF back end in this process.
#pragma once

#include <string>

#include "codegen/core/ir_module.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Default: the passes that make our programs smaller. Quick: fewer of them, which leave one instruction in twenty more.
// Full: LLVM's O2, for programs that the verifier refused: it keeps values elsewhere.
enum class Effort : uint8_t { Quick, Default, Full };
// Quick for large modules, where the passes would take a third of the time.
Effort default_effort(IrModule& ir);

// Links the support functions that are used, makes everything but the programs internal, runs the passes.
Result<> optimize(IrModule& ir, bool is_cpu_v4, Effort effort = Effort::Default);
Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4);
// BPF assembly, for --dump=asm.
Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4);

}  // namespace dscope
