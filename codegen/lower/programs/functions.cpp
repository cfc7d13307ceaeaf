#include "codegen/lower/programs/functions.h"

#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/programs/iterators.h"
#include "codegen/lower/programs/scratch_slot.h"

namespace dscope {

// Returns a function that all clauses share, and emits it on first use. `emit` builds the body and returns the result
// value.
llvm::Function* Functions::shared_function(const std::string& name, llvm::FunctionType* type,
                                           const std::function<V(llvm::Function*)>& emit) {
  llvm::Function*& function = shared_functions_[name];
  if (function != nullptr) return function;
  function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  Frame caller = frame_;
  in_function(function, [&] {
    frame_ = {.function = function, .kind = caller.kind, .program = caller.program};
    V result = emit(function);
    if (result == nullptr) b_.ir.CreateRetVoid();
    else b_.ir.CreateRet(result);
  });
  return function;
}

// Emits into another function, then continues at the current position.
void Functions::in_function(llvm::Function* function, const std::function<void()>& emit) {
  auto saved_ip = b_.ir.saveIP();
  FunctionState saved = std::exchange(state_, {});
  uint32_t saved_end = scratch_.temporary_end();
  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  core_.describe_function(function, saved.range);
  auto* body = b_.block("body");
  b_.ir.CreateBr(body);  // the entry block holds stack slots only
  b_.start(body);
  if (scratch_.alloca_area() != 0) alloca_memory_.begin_function();
  emit();
  state_ = std::move(saved);
  scratch_.release_temporaries(saved_end);
  b_.ir.restoreIP(saved_ip);
  core_.locate(state_.range);
}

// Emits clauses as a function (context, scratch slot, row, list) and calls it here: if all clauses of a large program
// were one function, it would run out of stack. `emit` builds the body, which ends with a jump to frame_.leave. If the
// dialect keeps scratch memory between clauses, the function also takes and returns its size.
void Functions::emit_clause_function(const std::string& name, V list, const std::function<void(V)>& emit) {
  std::vector<llvm::Type*> parameters = {b_.ptr, b_.ptr, b_.i64, b_.i64};
  bool keeps_scratch = alloca_memory_.used_slot() != nullptr && dialect().keeps_scratch_between_clauses();
  if (keeps_scratch) parameters.push_back(b_.i64);
  auto* type = llvm::FunctionType::get(keeps_scratch ? b_.i64 : b_.void_type, parameters, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  Frame caller = frame_;
  in_function(function, [&] {
    frame_ = caller;
    enter_subprogram(function);
    if (keeps_scratch) alloca_memory_.set_used(function->getArg(4));
    if (frame_.iterator != nullptr) iterators_.find_object(frame_.leave);
    // A late row is an instruction of the calling function.
    if (!frame_.constant_row || core_.is_portable()) frame_.row = b_.ir.CreateTrunc(function->getArg(2), b_.i32);
    if (!frame_.constant_row) {
      b_.branch_if(b_.ir.CreateICmpUGE(frame_.row, core_.row_count()), frame_.leave);
    }
    emit(b_.ir.CreateTrunc(function->getArg(3), b_.i32));
    finish_subprogram();
  });
  std::vector<V> arguments = {frame_.context, slot_for(function), b_.ir.CreateZExt(frame_.row, b_.i64),
                              b_.ir.CreateZExt(list, b_.i64)};
  if (keeps_scratch) arguments.push_back(b_.ir.CreateLoad(b_.i64, alloca_memory_.used_slot()));
  V used = b_.ir.CreateCall(function, arguments);
  if (keeps_scratch) alloca_memory_.set_used(used);
}

void Functions::enter_subprogram(llvm::Function* function) {
  frame_.function = function;
  frame_.context = function->getArg(0);
  frame_.is_subprogram = true;
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  // A freeze passes the argument through, so that `slot` is an instruction in all frames.
  frame_.slot = llvm::cast<llvm::Instruction>(b_.ir.CreateFreeze(function->getArg(1), "slot"));
}

// If the function does not use the scratch slot, its callers need not claim one.
void Functions::finish_subprogram() {
  b_.start(frame_.leave);
  if (frame_.function->getReturnType()->isVoidTy()) b_.ir.CreateRetVoid();
  else b_.ir.CreateRet(b_.ir.CreateLoad(b_.i64, alloca_memory_.used_slot()));
  if (!frame_.slot->use_empty()) return;
  frame_.slot->eraseFromParent();
  slotless_functions_.insert(frame_.function);
}

V Functions::slot_for(llvm::Function* function) {
  if (slotless_functions_.contains(function))
    return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(b_.ptr));
  return frame_.slot;
}

}  // namespace dscope
