// lower(): checked program + plan -> LLVM module of BPF code. The only code that turns D semantics into instructions.
#pragma once

#include "codegen/core/ir_module.h"
#include "contract/program_plan.h"
#include "frontend/machine/machine_values.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "support/source.h"

namespace dscope {

struct LowerOptions {
  // Loads directly through BTF-typed pointers. Off: loads by bpf_probe_read_kernel only, for kernels whose verifier
  // rejects a direct load.
  bool trusted_loads = true;
  // Builds small keys on the stack. Off: in scratch memory, because the verifier of Linux 6.18 fails on some stack
  // slots (EFAULT).
  bool stack_keys = true;
  // Uses a per-CPU array for scratch slots. Off: one array for all CPUs. lower() turns it off for slots above the
  // kernel's limit for per-CPU elements, and on machines most of whose possible CPUs are absent.
  bool per_cpu_scratch = true;
  // Lets uprobe programs sleep until a page of the process is in memory. Off: reading such a page is a fault.
  bool may_sleep = true;
  // Confirms the caller in a user stack by the thread's registers and the process's code. Off: a replay has neither
  // and takes the second frame.
  bool confirms_callers = true;
  // Null: the numbers of this machine are compiled in. Else the code is portable: it contains these values and the
  // tables as late numbers (IrModule::late). Must belong to the same semantics and plan.
  const MachineValues* machine_values = nullptr;
  // Constants that the code leaves open although it is not portable (process_macros); null: none.
  const MachineValues* open_constants = nullptr;
  // Adds D line numbers to the object, for reports of verifier errors. Costs time.
  bool debug_info = false;
};

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options);

}  // namespace dscope
