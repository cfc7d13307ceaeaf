// lower(): checked program + plan -> LLVM module of BPF code. The only place that turns D's meaning into instructions.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "frontend/plan/plan_builder.h"
#include "frontend/semantics/semantics.h"
#include "frontend/syntax/ast.h"
#include "support/source.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

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

// Owns the LLVM context and module; LLVM's headers stay inside codegen/.
class IrModule {
 public:
  IrModule();
  IrModule(IrModule&&) noexcept;
  ~IrModule();
  llvm::LLVMContext& context() { return *context_; }
  llvm::Module& module() { return *module_; }

  uint32_t scratch_size = 0;     // bytes of one scratch slot; 0: no program needs one
  MapKind scratch_kind{};        // per CPU as long as the kernel has per-CPU elements of that size
  uint32_t scratch_entries = 0;  // in an array that is not per CPU: of all CPUs, one CPU's side by side
  std::vector<SourcePlace> fault_sites;
  std::set<size_t> sleeping;  // programs, by their index in the plan

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options);

// Moves what lowering found out into the plan: the scratch map and the fault sites.
void complete_plan(ProgramPlan& plan, const IrModule& ir);

// LLVM assembly, for --dump=ir.
std::string print_ir(IrModule& ir);
// Empty if the module is well-formed, else LLVM's words.
std::string verify_ir(IrModule& ir);

}  // namespace dscope
