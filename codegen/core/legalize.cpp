#include "codegen/core/legalize.h"

#include <algorithm>
#include <vector>

#include <llvm/IR/IntrinsicInst.h>

#include "codegen/core/bpf_builder.h"
#include "codegen/core/llvm_headers.h"

namespace dscope {

namespace {

using V = llvm::Value*;

// For longer copies the back end calls memcpy, which BPF does not have.
constexpr uint64_t max_copy = 1024;
constexpr uint64_t min_long_copy = 128;  // see shrink_copies()

template <typename Instruction, typename F>
std::vector<Instruction*> instructions(llvm::Module& module, F predicate) {
  std::vector<Instruction*> found;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* candidate = llvm::dyn_cast<Instruction>(&instruction); candidate != nullptr && predicate(*candidate))
          found.push_back(candidate);
  return found;
}

bool is_overflow_test(const llvm::IntrinsicInst& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::umul_with_overflow &&
         call.getArgOperand(0)->getType()->isIntegerTy(64);
}

// The upper 64 bits of the product, computed from 32-bit halves so that no sum overflows.
V upper_product(llvm::IRBuilder<>& ir, V a, V b) {
  auto low = [&](V value) { return ir.CreateAnd(value, ir.getInt64(0xffffffff)); };
  auto high = [&](V value) { return ir.CreateLShr(value, ir.getInt64(32)); };
  V carry = high(ir.CreateMul(low(a), low(b)));
  V middle = ir.CreateAdd(ir.CreateMul(high(a), low(b)), carry);
  V other_middle = ir.CreateAdd(ir.CreateMul(low(a), high(b)), low(middle));
  return ir.CreateAdd(ir.CreateMul(high(a), high(b)), ir.CreateAdd(high(middle), high(other_middle)));
}

// LLVM turns `~0ul / x < y` and `x * y / x != y` into umul.with.overflow, for which the back end would call a 128-bit
// multiplication.
void expand_overflow_test(llvm::IntrinsicInst& test) {
  llvm::IRBuilder<> ir(&test);
  V a = test.getArgOperand(0), b = test.getArgOperand(1);
  V result = ir.CreateInsertValue(llvm::PoisonValue::get(test.getType()), ir.CreateMul(a, b), 0);
  V overflows = ir.CreateICmpNE(upper_product(ir, a, b), ir.getInt64(0));
  test.replaceAllUsesWith(ir.CreateInsertValue(result, overflows, 1));
  test.eraseFromParent();
}

bool needs_expansion(const llvm::MemIntrinsic& copy) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  return length != nullptr && (llvm::isa<llvm::MemMoveInst>(copy) || length->getZExtValue() > max_copy);
}

// Replaces memmove by memcpy: for a move, the back end would load all bytes before it stores any, and the stack is too
// small for that. LLVM emits a move where objects may overlap. D objects are either identical or disjoint, and a copy
// is correct for both.
void replace_copy(llvm::MemIntrinsic& copy) {
  llvm::IRBuilder<> ir(&copy);
  uint64_t length = llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue();
  auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy);
  for (uint64_t done = 0; done < length; done += max_copy) {
    auto part = [&](V base) { return ir.CreateInBoundsGEP(ir.getInt8Ty(), base, ir.getInt64(done)); };
    uint64_t bytes = std::min(max_copy, length - done);
    if (transfer != nullptr)
      ir.CreateMemCpy(part(copy.getDest()), copy.getDestAlign(), part(transfer->getSource()),
                      transfer->getSourceAlign(), bytes);
    else
      ir.CreateMemSet(part(copy.getDest()), llvm::cast<llvm::MemSetInst>(copy).getValue(), bytes, copy.getDestAlign());
  }
  copy.eraseFromParent();
}

bool is_long_copy(const llvm::MemIntrinsic& copy) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&copy);
  const auto* value = set != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(set->getValue()) : nullptr;
  bool is_copy = set == nullptr || (value != nullptr && value->isZero());
  return length != nullptr && length->getZExtValue() >= min_long_copy && is_copy;
}

// A void function may return with any value in r0. The verifier checks r0 as the result and rejects a stack address:
// "cannot return stack pointer to the caller".
void clear_result(llvm::ReturnInst& leave) {
  llvm::IRBuilder<> ir(&leave);
  auto* type = llvm::FunctionType::get(ir.getVoidTy(), false);
  ir.CreateCall(type, llvm::InlineAsm::get(type, "r0 = 0", "~{r0}", true));
}

}  // namespace

void shrink_copies(llvm::Module& module) {
  std::vector<llvm::MemIntrinsic*> copies = instructions<llvm::MemIntrinsic>(module, is_long_copy);
  uint64_t longest = 0;
  for (auto* copy : copies)
    if (llvm::isa<llvm::MemSetInst>(copy))
      longest = std::max(longest, llvm::cast<llvm::ConstantInt>(copy->getLength())->getZExtValue());
  BpfBuilder b(module);
  V zeroes = longest != 0 ? b.constant_bytes("", static_cast<uint32_t>(longest), "zeroes") : nullptr;
  for (auto* copy : copies) {
    b.ir.SetInsertPoint(copy);
    auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(copy);
    b.call(Helper::ProbeReadKernel, {copy->getDest(), b.ir.CreateTrunc(copy->getLength(), b.i32),
                                     transfer != nullptr ? transfer->getSource() : zeroes});
    copy->eraseFromParent();
  }
}

void legalize(llvm::Module& module) {
  for (auto* test : instructions<llvm::IntrinsicInst>(module, is_overflow_test)) expand_overflow_test(*test);
  for (auto* copy : instructions<llvm::MemIntrinsic>(module, needs_expansion)) replace_copy(*copy);
  auto is_empty = [](const llvm::ReturnInst& leave) { return leave.getReturnValue() == nullptr; };
  for (auto* leave : instructions<llvm::ReturnInst>(module, is_empty)) clear_result(*leave);
}

}  // namespace dscope
