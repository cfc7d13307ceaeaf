// optimize() and emit_object(): LLVM module -> BPF object in memory, by LLVM's BPF back end in this process.
#pragma once

#include <string>

#include "codegen/lower.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// Links the support functions that are used, makes everything but the programs internal, runs the O2 pipeline.
Result<> optimize(IrModule& ir, bool is_cpu_v4);
Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4);
// BPF assembly, for --dump=asm.
Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4);

}  // namespace dscope
