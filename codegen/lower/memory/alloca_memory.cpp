#include "codegen/lower/memory/alloca_memory.h"

#include <algorithm>

#include "codegen/lower/memory/thread_locals.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"

namespace dscope {

namespace {

// A scratch pointer, which points to alloca() or copyin() memory, is a number: this base, the number of the clause, and
// an offset into the clause's area. D programs can store, compare and print it. Each access is checked against the
// memory that the clause has allocated. The pointers of other clauses are not valid scratch pointers (d-language.md
// 3.3).
constexpr uint64_t scratch_pointer_base = 0x0000d5c000000000ULL;
constexpr uint32_t clause_shift = 16;
constexpr uint32_t clause_mask = 0xfffff;
constexpr uint32_t scratch_claim_bytes = 8;  // the claim word of a slot, in front of the clause-locals

}  // namespace

void AllocaMemory::begin_function() {
  *used_slot_ = b_.slot(b_.i64, "alloca_used");
  if (dialect().keeps_scratch_between_clauses()) b_.ir.CreateStore(b_.number(0), *used_slot_);
}

void AllocaMemory::begin_clause() {
  if (*used_slot_ != nullptr && !dialect().keeps_scratch_between_clauses()) set_used(b_.number(0));
}

uint64_t AllocaMemory::base() const {
  uint32_t clause = dialect().keeps_scratch_between_clauses() ? 0 : state_.clause->number;
  return scratch_pointer_base + (uint64_t{clause & clause_mask} << clause_shift);
}

uint64_t AllocaMemory::limit() const {
  return static_cast<uint64_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
}

// Faults unless this clause has allocated [pointer, pointer + size): BADADDR if the range starts outside its memory,
// BADSIZE if it only ends outside. The caller has tested `offset`, the pointer's offset in the area, against the limit.
void AllocaMemory::check_bounds(V condition, V offset, V pointer, V size, const Expr& at) {
  V used = b_.ir.CreateLoad(b_.i64, *used_slot_);
  auto and_condition = [&](V other) { return condition != nullptr ? b_.ir.CreateAnd(condition, other) : other; };
  faults_.fault_if(and_condition(b_.ir.CreateICmpUGT(offset, used)), DS_FAULT_BADADDR, pointer, at);
  V is_at_end = b_.ir.CreateAnd(b_.ir.CreateICmpEQ(offset, used), b_.ir.CreateICmpNE(size, b_.number(0)));
  faults_.fault_if(and_condition(is_at_end), DS_FAULT_BADADDR, pointer, at);
  faults_.fault_if(and_condition(b_.ir.CreateICmpUGT(b_.ir.CreateAdd(offset, size), used)), DS_FAULT_BADSIZE, size, at);
}

// Converts a scratch pointer to an address. Faults unless this clause has allocated [pointer, pointer + size). `size`
// is at most the limit.
V AllocaMemory::address(V pointer, V size, const Expr& at) {
  if (scratch_.alloca_area() == 0) {  // the program never allocates
    faults_.fault_if(b_.ir.getTrue(), DS_FAULT_BADADDR, pointer, at);
    return frame_.slot;
  }
  V offset = b_.pin(b_.ir.CreateSub(pointer, b_.number(base())));
  faults_.fault_if(b_.ir.CreateICmpUGT(offset, b_.number(limit())), DS_FAULT_BADADDR, pointer, at);
  check_bounds(nullptr, offset, pointer, size, at);
  return b_.at(scratch_.at(scratch_.alloca_area()), b_.pin_below(offset, limit() + 1));
}

// Converts a number that may be a scratch pointer to a readable address. Any other number is a kernel address.
V AllocaMemory::readable_address(V pointer, V size, const Expr& at) {
  if (scratch_.alloca_area() == 0) return pointer;
  V offset = b_.pin(b_.ir.CreateSub(pointer, b_.number(base())));
  V is_scratch = b_.ir.CreateICmpULE(offset, b_.number(limit()));
  check_bounds(is_scratch, offset, pointer, size, at);
  return b_.replace_if(is_scratch, pointer, "scratch", [&] {
    return b_.as_untracked_scalar(b_.at(scratch_.at(scratch_.alloca_area()), b_.pin_below(offset, limit() + 1)));
  });
}

// Returns the address to store to through a pointer into D variables. The pointer is a plain number to the verifier, so
// the code compares it with all memory that variables can occupy. Elements of associative arrays have no stable
// address: they fault with BADADDR.
V AllocaMemory::variable_memory(V pointer, uint64_t size, const Expr& at) {
  auto* found = llvm::BasicBlock::Create(b_.module().getContext(), "found", frame_.function);
  std::vector<std::pair<V, llvm::BasicBlock*>> candidates;
  auto consider = [&](V base, uint64_t bytes) {
    if (bytes < size) return;
    V offset = b_.pin(b_.ir.CreateSub(pointer, b_.as_untracked_scalar(base)));
    auto* inside = b_.block("inside");
    auto* outside = b_.block("outside");
    b_.ir.CreateCondBr(b_.ir.CreateICmpULE(offset, b_.number(bytes - size)), inside, outside);
    b_.start(inside);
    V address = b_.at(base, b_.pin_below(offset, bytes - size + 1));
    candidates.emplace_back(address, inside);
    b_.ir.CreateBr(found);
    b_.start(outside);
  };
  if (layout_.globals_size != 0) consider(b_.map("ds_globals"), layout_.globals_size);
  if (layout_.scratch_reserved > scratch_claim_bytes)
    consider(scratch_.at(scratch_claim_bytes), layout_.scratch_reserved - scratch_claim_bytes);
  core_.conditionally([&] {
    if (layout_.task_size != 0) {
      V storage = thread_locals_.storage(false);
      auto* present = b_.block("present");
      auto* absent = b_.block("absent");
      b_.ir.CreateCondBr(b_.is_zero(b_.to_number(storage)), absent, present);
      b_.start(present);
      consider(b_.pin(storage), layout_.task_size);
      b_.ir.CreateBr(absent);
      b_.start(absent);
    }
    faults_.fault(DS_FAULT_BADADDR, pointer, at);
  });
  b_.start(found);
  if (candidates.empty()) return frame_.slot;  // not reached
  auto* address = b_.ir.CreatePHI(b_.ptr, static_cast<unsigned>(candidates.size()));
  for (auto& [candidate, block] : candidates) address->addIncoming(candidate, block);
  return address;
}

// Returns memory for `size` bytes, at most the limit, at the end of the clause's area. Faults if `claimed` bytes, which
// the caller will allocate and which may exceed `size`, do not fit. The caller commits the allocation by set_used().
AllocaMemory::Allocation AllocaMemory::reserve(V size, V claimed, const Expr& at) {
  V last = b_.number(limit());
  V used = b_.ir.CreateLoad(b_.i64, *used_slot_);
  V end = b_.ir.CreateAdd(used, b_.ir.CreateAnd(b_.ir.CreateAdd(claimed, b_.number(7)), b_.number(~uint64_t{7})));
  faults_.fault_if(b_.ir.CreateICmpUGT(end, b_.number(round_up8(static_cast<uint32_t>(limit())))), DS_FAULT_NOSCRATCH,
                   b_.number(0), at);
  faults_.fault_if(b_.ir.CreateICmpUGT(used, last), DS_FAULT_NOSCRATCH, b_.number(0), at);
  // A terminator ends each block, because the bytes behind it may be left from an earlier firing.
  V last_word = b_.ir.CreateAdd(used, b_.ir.CreateAnd(size, b_.number(~uint64_t{7})));
  b_.store(b_.at(scratch_.at(scratch_.alloca_area()), last_word), b_.number(0), 8);
  return {b_.ir.CreateAdd(used, b_.number(base())), b_.at(scratch_.at(scratch_.alloca_area()), used), end};
}

// The number of bytes that a subroutine copies. Faults if it is negative or exceeds the size of the area.
V AllocaMemory::checked_size(V size, const Expr& at) {
  size = b_.pin(size);
  faults_.fault_if(b_.ir.CreateICmpUGT(size, b_.number(limit())), DS_FAULT_BADSIZE, size, at);
  return b_.pin_below(size, limit() + 1);
}

}  // namespace dscope
