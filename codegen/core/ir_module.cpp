#include "codegen/core/ir_module.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "codegen/core/llvm_compat.h"

namespace dscope {

IrModule::IrModule() : context_(std::make_unique<llvm::LLVMContext>()) {
  module_ = std::make_unique<llvm::Module>("dscope", *context_);
  module_->setTargetTriple(target_triple("bpf"));
  module_->setDataLayout("e-m:e-p:64:64-i64:64-i128:128-n32:64-S128");
}
IrModule::IrModule(IrModule&&) noexcept = default;
IrModule::~IrModule() {
  module_.reset();  // before its context
}

std::string print_ir(IrModule& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ir.module().print(stream, nullptr);
  return text;
}

std::string verify_ir(IrModule& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return llvm::verifyModule(ir.module(), &stream) ? text : "";
}

}  // namespace dscope
