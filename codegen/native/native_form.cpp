#include "codegen/native/native_form.h"

#include <vector>

#include "codegen/core/llvm_headers.h"

namespace dscope {

namespace {

using V = llvm::Value*;

std::vector<llvm::CallInst*> calls_in(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
  return calls;
}

void replace(llvm::CallInst& call, V value) {
  if (value != nullptr && !call.getType()->isVoidTy()) call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

// ---- assembly: hints for LLVM's BPF back end and for the verifier, which a processor does not need

// BpfBuilder::pin_below(): the value, or 0 above the limit.
bool is_limit(llvm::StringRef text) { return text.starts_with("if $0 > $2 goto"); }

// Text without effect: jumps to the next instruction, and a result register that nobody reads.
bool has_no_effect(llvm::StringRef text) { return text.starts_with("goto +0") || text == "r0 = 0"; }

Result<> remove_assembly(llvm::CallInst& call) {
  const auto& code = llvm::cast<llvm::InlineAsm>(*call.getCalledOperand());
  llvm::StringRef text = code.getAsmString();
  if (text.empty() && call.getType()->isVoidTy()) return {};  // a barrier for memory: means the same natively
  if (text.empty() && call.arg_size() == 1 && call.getType() == call.getArgOperand(0)->getType()) {
    replace(call, call.getArgOperand(0));
  } else if (is_limit(text)) {
    llvm::IRBuilder<> ir(&call);
    V value = call.getArgOperand(0);
    V is_above = ir.CreateICmpUGT(value, call.getArgOperand(1));
    replace(call, ir.CreateSelect(is_above, llvm::Constant::getNullValue(value->getType()), value));
  } else if (has_no_effect(text) && call.getType()->isVoidTy()) {
    call.eraseFromParent();
  } else {
    return fail(Error::make("native code cannot contain the assembly `{}`", std::string_view(text)));
  }
  return {};
}

// Clang puts llvm.bpf.passthrough(number, value) into C code for BPF: the value, which BPF's passes must not combine
// with others. No other processor has this intrinsic.
bool is_passthrough(const llvm::CallInst& call) {
  const llvm::Function* function = call.getCalledFunction();
  return function != nullptr && function->getName().starts_with("llvm.bpf.passthrough");
}

// ---- helpers

// The number of the helper that is called: the back end for BPF calls helper N at address N.
std::optional<uint64_t> helper_number(const llvm::CallInst& call) {
  const auto* address = llvm::dyn_cast<llvm::ConstantExpr>(call.getCalledOperand());
  if (address == nullptr || address->getOpcode() != llvm::Instruction::IntToPtr) return std::nullopt;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(0));
  if (number == nullptr) return std::nullopt;
  return number->getZExtValue();
}

V constant_address(llvm::IRBuilder<>& ir, const void* address) {
  auto number = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(address));
  return llvm::ConstantExpr::getIntToPtr(ir.getInt64(number), ir.getPtrTy());
}

V as_word(llvm::IRBuilder<>& ir, V value) {
  return value->getType()->isPointerTy() ? ir.CreatePtrToInt(value, ir.getInt64Ty())
                                         : ir.CreateZExtOrTrunc(value, ir.getInt64Ty());
}

V from_word(llvm::IRBuilder<>& ir, V word, llvm::Type* type) {
  if (type->isVoidTy()) return nullptr;
  return type->isPointerTy() ? ir.CreateIntToPtr(word, type) : ir.CreateZExtOrTrunc(word, type);
}

Result<> call_natively(llvm::CallInst& call, uint64_t number, const NativeSymbols& symbols) {
  const void* helper = symbols.helper(static_cast<uint32_t>(number));
  if (helper == nullptr) return fail(Error::make("native code cannot call the helper {} of BPF", number));
  llvm::IRBuilder<> ir(&call);
  llvm::SmallVector<V, 6> arguments{constant_address(ir, symbols.machine)};
  llvm::SmallVector<llvm::Type*, 6> types{ir.getPtrTy()};
  for (const llvm::Use& argument : call.args()) {
    arguments.push_back(as_word(ir, argument.get()));
    types.push_back(ir.getInt64Ty());
  }
  auto* type = llvm::FunctionType::get(ir.getInt64Ty(), types, false);
  llvm::CallInst* native = ir.CreateCall(type, constant_address(ir, helper), arguments);
  native->setDoesNotThrow();
  if (call.doesNotAccessMemory()) {  // always the same result: LLVM merges such calls
    native->setDoesNotAccessMemory();
    native->addFnAttr(llvm::Attribute::WillReturn);
  }
  replace(call, from_word(ir, native, call.getType()));
  return {};
}

// ---- maps

Result<> bind_maps(llvm::Module& module, const NativeSymbols& symbols) {
  std::vector<llvm::GlobalVariable*> declared;
  for (llvm::GlobalVariable& global : module.globals())
    if (global.isDeclaration()) declared.push_back(&global);
  llvm::IRBuilder<> ir(module.getContext());
  for (llvm::GlobalVariable* global : declared) {
    void* address = symbols.map(std::string_view(global->getName()));
    if (address == nullptr && !global->use_empty())
      return fail(Error::make("native code refers to the unknown map {}", std::string_view(global->getName())));
    global->replaceAllUsesWith(constant_address(ir, address));
    global->eraseFromParent();
  }
  return {};
}

// The support library is compiled for a BPF processor.
void forget_processor(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (const char* attribute : {"target-cpu", "target-features", "frame-pointer"}) function.removeFnAttr(attribute);
}

}  // namespace

Result<> to_native_form(llvm::Module& module, const NativeSymbols& symbols) {
  forget_processor(module);
  for (llvm::CallInst* call : calls_in(module)) {
    if (call->isInlineAsm()) DS_TRY_VOID(remove_assembly(*call));
    else if (is_passthrough(*call)) replace(*call, call->getArgOperand(1));
    else if (auto number = helper_number(*call)) DS_TRY_VOID(call_natively(*call, *number, symbols));
  }
  return bind_maps(module, symbols);
}

}  // namespace dscope
