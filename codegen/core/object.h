// optimize() and emit_object(): LLVM module -> BPF object in memory. Runs LLVM's BPF back end in this process.
#pragma once

#include <string>

#include "codegen/core/ir_module.h"
#include "codegen/core/passes.h"
#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// As default_effort() of passes.h.
Effort default_effort(IrModule& ir);

// Short: programs that the verifier has found too large. Copies are calls (shrink_copies() of legalize.h), and the
// verifier checks string functions once (global_functions.h).
enum class Shape : uint8_t { Fast, Short };

// Links the support functions that the module calls, internalizes all functions but the programs, and runs the passes.
Result<> optimize(IrModule& ir, bool is_cpu_v4, Effort effort = Effort::Default, Shape shape = Shape::Fast);
Result<BpfObject> emit_object(IrModule& ir, bool is_cpu_v4);
// BPF assembly, for --dump=asm.
Result<std::string> emit_assembly(IrModule& ir, bool is_cpu_v4);

}  // namespace dscope
