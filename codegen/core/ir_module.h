// IrModule: one LLVM module of BPF code and what lowering found out about it.
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
  MapKind scratch_kind{};        // per CPU as long as the kernel has per-CPU elements of that size
  uint32_t scratch_entries = 0;  // in an array that is not per CPU: of all CPUs, one CPU's side by side
  std::vector<SourcePlace> fault_sites;
  std::set<size_t> sleeping;  // programs, by their index in the plan

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

// LLVM assembly, for --dump=ir.
std::string print_ir(IrModule& ir);
// Empty if the module is well-formed, else LLVM's words.
std::string verify_ir(IrModule& ir);

}  // namespace dscope
