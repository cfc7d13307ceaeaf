// IrModule: an LLVM module of BPF code and the results of lowering that the plan needs.
#pragma once

#include <memory>
#include <string>

#include "contract/code_results.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace dscope {

// Owns the LLVM context and module; LLVM's headers stay inside codegen/.
class IrModule : public CodeResults {
 public:
  IrModule();
  IrModule(IrModule&&) noexcept;
  ~IrModule();
  llvm::LLVMContext& context() { return *context_; }
  llvm::Module& module() { return *module_; }

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

// LLVM assembly, for --dump=ir.
std::string print_ir(IrModule& ir);
// Returns LLVM's error message, or an empty string if the module is well-formed.
std::string verify_ir(IrModule& ir);

}  // namespace dscope
