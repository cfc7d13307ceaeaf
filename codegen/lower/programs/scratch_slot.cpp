#include "codegen/lower/programs/scratch_slot.h"

#include <algorithm>

#include "codegen/lower/probe/task_context.h"

namespace dscope {

ScratchSlot::ScratchSlot(Lowering& core) : Lowerer(core) {
  bool has_uprobes = std::ranges::any_of(
      plan_.programs, [](const BpfProgramPlan& program) { return program.context == BpfContext::Probe; });
  if (options_.may_sleep && has_uprobes) slots_per_cpu_ = sleeping_scratch_slots;
  comm_offset_ = round_up8(layout_.scratch_reserved);
  first_temporary_ = comm_offset_ + comm_bytes;
  if (core.memory_use.allocates) {
    // Twice the limit: the program checks the sum of offset and size at run time, but the verifier adds their maxima.
    alloca_area_ = first_temporary_;
    first_temporary_ += 2 * round_up8(static_cast<uint32_t>(plan_.options.number(OptionId::Scratchsize)) + 8);
  }
  temporary_end_ = size_ = first_temporary_;
}

void ScratchSlot::describe_map() const {
  if (is_claimed_) core_.out.scratch_size = size_;
  core_.out.scratch_kind = options_.per_cpu_scratch ? MapKind::PerCpuArray : MapKind::Array;
  core_.out.scratch_slots = slots_per_cpu_;
}

// Tries the first slot before the loop over the others: it is usually free.
V ScratchSlot::claim(llvm::BasicBlock* lost) {
  is_claimed_ = true;
  V key = b_.shared_slot(4, "slot_index");
  V first = b_.number32(0);
  if (!options_.per_cpu_scratch) {
    MachineNumber mask = core_.machine_number(layout_.scratch_groups - 1, &layout_.scratch_groups);
    V group = b_.ir.CreateAnd(b_.call(Helper::GetSmpProcessorId, {}), b_.number(mask));
    first = b_.ir.CreateMul(b_.ir.CreateTrunc(group, b_.i32), b_.number32(slots_per_cpu_));
  }
  auto* claimed = b_.block("claimed");
  llvm::SmallVector<std::pair<V, llvm::BasicBlock*>, 2> found;
  auto claim = [&](V index) {
    b_.ir.CreateStore(b_.ir.CreateAdd(first, index), key);
    V candidate = b_.lookup("ds_scratch", key);
    b_.branch_if(b_.is_zero(b_.to_number(candidate)), lost);
    V taken = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, candidate, b_.number(1), llvm::MaybeAlign(8),
                                    llvm::AtomicOrdering::SequentiallyConsistent);
    found.emplace_back(candidate, b_.ir.GetInsertBlock());
    b_.branch_if(b_.is_zero(taken), claimed);
  };
  claim(b_.number32(0));
  auto* before = b_.ir.GetInsertBlock();
  auto* another = b_.block("another_slot");
  b_.ir.CreateBr(another);
  b_.start(another);
  auto* index = b_.ir.CreatePHI(b_.i32, 2, "slot");
  claim(index);
  V next = b_.ir.CreateAdd(index, b_.number32(1));
  index->addIncoming(b_.number32(1), before);
  index->addIncoming(next, b_.ir.GetInsertBlock());
  b_.ir.CreateCondBr(b_.ir.CreateICmpULT(next, b_.number32(slots_per_cpu_)), another, lost);
  b_.start(claimed);
  auto* slot = b_.ir.CreatePHI(b_.ptr, 2, "slot");
  for (auto& [candidate, block] : found) slot->addIncoming(candidate, block);
  if (core_.record_paths_never_merge()) b_.add_checkpoint();
  return slot;
}

V ScratchSlot::at(uint32_t offset) { return b_.at(frame_.slot, offset); }

V ScratchSlot::temporary(uint32_t size) {
  uint32_t offset = temporary_end_;
  temporary_end_ += round_up8(size);
  size_ = std::max(size_, temporary_end_);
  return at(offset);
}

}  // namespace dscope
