// lower(): checked program + plan -> LLVM module of BPF code. The only place that turns D's meaning into instructions.
#pragma once

#include "codegen/core/ir_module.h"
#include "contract/program_plan.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "support/source.h"

namespace dscope {

struct LowerOptions {
  // Loads through BTF-trusted pointers without a helper call. Off: everything by probe_read_kernel, for kernels whose
  // verifier refuses one of them.
  bool trusted_loads = true;
  // Small keys on the stack. Off: in scratch memory, as Linux 6.18's verifier trips over some stack slots (EFAULT).
  bool stack_keys = true;
  // Scratch slots per CPU. Off: in one array, for slots larger than a per-CPU element can be; lower() sees to it.
  bool per_cpu_scratch = true;
  // Programs of uprobes wait for pages of the process that are not in memory yet. Off: reading those is a fault.
  bool may_sleep = true;
  // D lines in the object's debug information, for verifier refusals; costs time.
  bool debug_info = false;
};

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options);

// Moves what lowering found out into the plan: the scratch map and the fault sites.
void complete_plan(ProgramPlan& plan, const IrModule& ir);

}  // namespace dscope
