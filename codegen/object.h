// optimize() and emit_object(): LLVM module -> BPF object in memory, by LLVM's BPF back end in this process.
#pragma once

#include <string>

#include "codegen/lower.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Full: LLVM's O2. Quick: a few passes, which leave one instruction in a hundred more.
enum class Effort : uint8_t { Quick, Full };
// Quick for large modules, where O2 would take as long as everything else together.
Effort usual_effort(IrModule& ir);

// Links the support functions that are used, makes everything but the programs internal, runs the passes.
Result<> optimize(IrModule& ir, bool is_cpu_v4, Effort effort = Effort::Full);
Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4);
// BPF assembly, for --dump=asm.
Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4);

}  // namespace dscope
