// IrModule: an LLVM module of BPF code and the results of lowering that the plan needs.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "contract/program_plan.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace dscope {

// Owns the LLVM context and module; LLVM's headers stay inside codegen/.
class IrModule {
 public:
  IrModule();
  IrModule(IrModule&&) noexcept;
  ~IrModule();
  llvm::LLVMContext& context() { return *context_; }
  llvm::Module& module() { return *module_; }

  uint32_t scratch_size = 0;     // bytes of one scratch slot; 0: no program needs one
  MapKind scratch_kind{};        // per CPU, unless slots exceed the kernel's limit for per-CPU elements
  uint32_t scratch_entries = 0;  // per CPU; in an array that is not per CPU: of all CPUs, grouped by CPU
  std::vector<PlanPosition> fault_sites;
  std::set<size_t> sleeping_programs;  // plan indices of the programs that may sleep

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

// LLVM assembly, for --dump=ir.
std::string print_ir(IrModule& ir);
// Returns LLVM's error message, or an empty string if the module is well-formed.
std::string verify_ir(IrModule& ir);

}  // namespace dscope
