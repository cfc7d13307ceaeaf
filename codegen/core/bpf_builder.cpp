#include "codegen/core/bpf_builder.h"

#include "support/check.h"

namespace dscope {

BpfBuilder::BpfBuilder(llvm::Module& module)
    : ir(module.getContext()),
      i1(ir.getInt1Ty()),
      i8(ir.getInt8Ty()),
      i16(ir.getInt16Ty()),
      i32(ir.getInt32Ty()),
      i64(ir.getInt64Ty()),
      ptr(ir.getPtrTy()),
      void_type(ir.getVoidTy()),
      module_(module) {}

// LLVM's BPF back end turns a call through the constant address N into `call N`, the call of helper number N.
llvm::CallInst* BpfBuilder::call_as(Helper id, llvm::Type* result, std::initializer_list<V> arguments) {
  DS_CHECK(arguments.size() <= 5);
  llvm::SmallVector<llvm::Type*, 5> types;
  for (V argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  V target = llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(i64, static_cast<uint64_t>(id)), ptr);
  return ir.CreateCall(type, target, llvm::ArrayRef<V>(arguments.begin(), arguments.size()));
}

BpfBuilder::V BpfBuilder::call(Helper id, std::initializer_list<V> arguments) { return call_as(id, i64, arguments); }
BpfBuilder::V BpfBuilder::call_for_pointer(Helper id, std::initializer_list<V> arguments) {
  return call_as(id, ptr, arguments);
}

BpfBuilder::V BpfBuilder::call_pure_for_pointer(Helper id, std::initializer_list<V> arguments) {
  llvm::CallInst* call = call_as(id, ptr, arguments);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  return call;
}

BpfBuilder::V BpfBuilder::map(std::string_view name) {
  llvm::StringRef symbol(name.data(), name.size());
  if (auto* known = module_.getGlobalVariable(symbol)) return known;
  return new llvm::GlobalVariable(module_, i64, false, llvm::GlobalValue::ExternalLinkage, nullptr, symbol);
}

BpfBuilder::V BpfBuilder::lookup(std::string_view map_name, V key) {
  return call_for_pointer(Helper::MapLookup, {map(map_name), key});
}

// BPF instructions encode offsets below 32 KiB. For an object at a larger offset, LLVM would compute the address of
// each word and spill all of them to the stack for their next use. pin() hides the object's address from LLVM.
BpfBuilder::V BpfBuilder::at(V base, uint64_t offset) {
  constexpr uint64_t near = 16 << 10;
  if (offset == 0) return base;
  V address = ir.CreateInBoundsGEP(i8, base, number(offset));
  return offset < near ? address : pin(address);
}
BpfBuilder::V BpfBuilder::at(V base, V offset) { return ir.CreateGEP(i8, base, offset); }

BpfBuilder::V BpfBuilder::load(V address, uint32_t size, bool is_signed) {
  V value = ir.CreateAlignedLoad(ir.getIntNTy(size * 8), address, llvm::Align(size));
  return is_signed ? ir.CreateSExt(value, i64) : ir.CreateZExt(value, i64);
}

BpfBuilder::V BpfBuilder::load_volatile32(V address) {
  return ir.CreateAlignedLoad(i32, address, llvm::Align(4), true);
}

void BpfBuilder::store(V address, V value, uint32_t size) {
  ir.CreateAlignedStore(ir.CreateTrunc(value, ir.getIntNTy(size * 8)), address, llvm::Align(size));
}

void BpfBuilder::copy(V to, V from, uint32_t bytes) {
  // The back end inlines copies of up to 1,024 bytes only.
  for (uint32_t done = 0; done < bytes; done += 1024)
    ir.CreateMemCpy(at(to, done), llvm::Align(8), at(from, done), llvm::Align(8), std::min(1024U, bytes - done));
}

void BpfBuilder::zero(V to, uint32_t bytes) {
  for (uint32_t done = 0; done < bytes; done += 1024)
    ir.CreateMemSet(at(to, done), ir.getInt8(0), std::min(1024U, bytes - done), llvm::Align(8));
}

BpfBuilder::V BpfBuilder::narrow(V value, uint32_t size, bool is_signed) {
  if (size >= 8) return value;
  V small = ir.CreateTrunc(value, ir.getIntNTy(size * 8));
  return is_signed ? ir.CreateSExt(small, i64) : ir.CreateZExt(small, i64);
}

BpfBuilder::V BpfBuilder::pin(V value) {
  auto* type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  return ir.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", true), {value});
}

// With this order of the jumps, the verifier follows the path with the value in its bounds first. It can then prune the
// path with 0.
BpfBuilder::V BpfBuilder::pin_below(V value, uint64_t limit) {
  auto* type = llvm::FunctionType::get(value->getType(), {value->getType(), i64}, false);
  const char* text = "if $0 > $2 goto +1\ngoto +1\n$0 = 0";
  return ir.CreateCall(type, llvm::InlineAsm::get(type, text, "=r,0,i", true), {value, number(limit - 1)});
}

BpfBuilder::V BpfBuilder::pin_after(llvm::Instruction* instruction, V value) {
  llvm::IRBuilderBase::InsertPointGuard restored{ir};
  ir.SetInsertPoint(instruction->getNextNode());
  return pin(value);
}

BpfBuilder::V BpfBuilder::opaque(V value) {
  auto* type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  auto* copy = ir.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", false), {value});
  copy->setDoesNotAccessMemory();
  copy->setDoesNotThrow();
  return copy;
}

BpfBuilder::V BpfBuilder::narrow_bits(V value, uint32_t bits, bool is_signed) {
  V count = number(64 - bits);
  V top = ir.CreateShl(value, count);
  return is_signed ? ir.CreateAShr(top, count) : ir.CreateLShr(top, count);
}

BpfBuilder::V BpfBuilder::as_untracked_scalar(V address) {
  V original = shared_slot(8, "address"), copy = shared_slot(8, "read");
  ir.CreateStore(to_number(address), original);
  call(Helper::ProbeReadKernel, {copy, number32(8), original});
  return load(copy, 8, false);
}

BpfBuilder::V BpfBuilder::opaque_to_verifier(V pointer) {
  V original = shared_slot(8, "pointer"), copy = shared_slot(8, "read");
  ir.CreateAlignedStore(pointer, original, llvm::Align(8));
  call(Helper::ProbeReadKernel, {copy, number32(8), to_number(original)});
  return load(copy, 8, false);
}

BpfBuilder::V BpfBuilder::is_zero(V value) {
  return ir.CreateICmpEQ(value, llvm::Constant::getNullValue(value->getType()));
}

BpfBuilder::V BpfBuilder::is_nonzero(V value) {
  return ir.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

void BpfBuilder::clobber_memory() {
  auto* type = llvm::FunctionType::get(void_type, false);
  ir.CreateCall(type, llvm::InlineAsm::get(type, "", "~{memory}", true));
}

void BpfBuilder::add_checkpoint() {
  constexpr size_t jumps = 10;
  std::string text;
  for (size_t i = 0; i < jumps; ++i) text += "goto +0\n";
  auto* type = llvm::FunctionType::get(void_type, false);
  ir.CreateCall(type, llvm::InlineAsm::get(type, text, "", true));
}

llvm::BasicBlock* BpfBuilder::block(const char* name) {
  return llvm::BasicBlock::Create(module_.getContext(), name, function());
}

void BpfBuilder::branch_if(V condition, llvm::BasicBlock* then) {
  llvm::BasicBlock* next = block("next");
  ir.CreateCondBr(condition, then, next);
  start(next);
}

BpfBuilder::V BpfBuilder::phi(std::initializer_list<std::pair<V, llvm::BasicBlock*>> incoming) {
  auto* result = ir.CreatePHI(incoming.begin()->first->getType(), static_cast<unsigned>(incoming.size()));
  for (const auto& [value, block] : incoming) result->addIncoming(value, block);
  return result;
}

llvm::AllocaInst* BpfBuilder::slot(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  auto* slot = at_entry.CreateAlloca(type, nullptr, name);
  slot->setAlignment(llvm::Align(8));
  return slot;
}

llvm::AllocaInst* BpfBuilder::slot_bytes(uint32_t bytes, const char* name) {
  return slot(llvm::ArrayType::get(i64, (bytes + 7) / 8), name);
}

llvm::AllocaInst* BpfBuilder::shared_slot(uint32_t bytes, const char* name) {
  llvm::AllocaInst*& known = shared_slots_[{function(), name}];
  if (known == nullptr) known = slot_bytes(bytes, name);
  return known;
}

BpfBuilder::V BpfBuilder::call_support(std::string_view name, llvm::Type* result, std::initializer_list<V> arguments) {
  DS_CHECK(arguments.size() <= 5);
  llvm::SmallVector<llvm::Type*, 5> types;
  for (V argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::FunctionCallee callee = module_.getOrInsertFunction(llvm::StringRef(name.data(), name.size()), type);
  return ir.CreateCall(callee, llvm::ArrayRef<V>(arguments.begin(), arguments.size()));
}

BpfBuilder::V BpfBuilder::constant(llvm::Constant* data, const char* name) {
  auto* global =
      new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, name);
  global->setAlignment(llvm::Align(8));
  global->setSection(".rodata");
  return global;
}

BpfBuilder::V BpfBuilder::constant_bytes(std::string_view bytes, uint32_t padded_size, const char* name) {
  std::string padded(bytes);
  padded.resize((std::max<size_t>(padded_size, bytes.size()) + 7) / 8 * 8, '\0');
  return constant(llvm::ConstantDataArray::getString(module_.getContext(), padded, false), name);
}
BpfBuilder::V BpfBuilder::constant_words16(const std::vector<uint16_t>& words, const char* name) {
  return constant(llvm::ConstantDataArray::get(module_.getContext(), words), name);
}
BpfBuilder::V BpfBuilder::constant_words32(const std::vector<uint32_t>& words, const char* name) {
  return constant(llvm::ConstantDataArray::get(module_.getContext(), words), name);
}

}  // namespace dscope
