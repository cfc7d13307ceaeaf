#include "codegen/lower/programs/counters.h"

#include "codegen/lower/programs/functions.h"

namespace dscope {

void Counters::count(size_t counter_offset) {
  if (!core_.has_many_clauses()) return emit_count(b_.number(counter_offset));
  b_.ir.CreateCall(count_function(), {b_.number(counter_offset)});
}

V Counters::of_this_cpu() {
  auto* key = b_.shared_slot(4, "counter_key");
  b_.ir.CreateStore(b_.number32(0), key);
  return b_.lookup("ds_counters", key);
}

void Counters::emit_count(V counter_offset) {
  V counters = of_this_cpu();
  auto* increment = b_.block("increment");
  auto* counted = b_.block("counted");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(counters)), counted, increment);
  b_.start(increment);
  V counter = b_.ir.CreateInBoundsGEP(b_.i8, counters, counter_offset);
  // Atomic, because another program may interrupt this one on its CPU.
  b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, b_.number(1), llvm::MaybeAlign(8),
                        llvm::AtomicOrdering::Monotonic);
  b_.ir.CreateBr(counted);
  b_.start(counted);
}

llvm::Function* Counters::count_function() {
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.i64}, false);
  return functions_.shared_function("ds_count", type, [&](llvm::Function* function) -> V {
    auto* leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
    V offset = function->getArg(0);
    b_.branch_if(b_.ir.CreateICmpUGT(offset, b_.number(sizeof(ds_counters) - 8)), leave);
    emit_count(b_.pin(offset));
    b_.ir.CreateBr(leave);
    b_.start(leave);
    return nullptr;
  });
}

}  // namespace dscope
