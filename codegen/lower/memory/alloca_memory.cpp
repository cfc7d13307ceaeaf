// Memory that programs reach by pointers they have computed: alloca() and copyin() areas, and the program's own
// variables (&a[0]). The subroutines that copy bytes into and out of it (consumer-and-actions.md 7).
#include <algorithm>

#include "codegen/lower/emitter.h"
#include "frontend/plan/plan_layout.h"
#include "support/check.h"

namespace dscope {

namespace {

// Pointers to alloca()/copyin() memory are numbers: this base, the clause's number, an offset into the clause's area.
// They can be kept in variables, compared and printed; each use is checked against what the clause has allocated, and
// those of other clauses are no scratch pointers at all (d-language.md 3.3).
constexpr uint64_t scratch_pointer_base = 0x0000d5c000000000ULL;
constexpr uint32_t clause_shift = 16;
constexpr uint32_t clause_mask = 0xfffff;
constexpr uint64_t max_copied_out = 16 << 10;
constexpr uint32_t scratch_claim_bytes = 8;  // before the clause-locals of a slot

}  // namespace

// To scripts of Solaris what one clause has copied in stays there for the next ones of the same firing.
void Emitter::begin_scratch() {
  alloca_used_ = b_.slot(b_.i64, "alloca_used");
  if (is_solaris_mode()) b_.ir.CreateStore(b_.number(0), alloca_used_);
}

uint64_t Emitter::scratch_base() const {
  uint32_t clause = is_solaris_mode() ? 0 : clause_->number;
  return scratch_pointer_base + (uint64_t{clause & clause_mask} << clause_shift);
}

uint64_t Emitter::scratch_limit() const {
  return static_cast<uint64_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
}

// ---------------------------------------------------------------- what pointers point to

// Offset of a scratch pointer in the clause's area, if [pointer, pointer + size) was allocated by this clause; else a
// fault: BADADDR if it begins outside, BADSIZE if it only ends there. The caller has tested `offset` against the limit.
void Emitter::check_scratch_bounds(V condition, V offset, V pointer, V size, const Expr& at) {
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  auto also = [&](V other) { return condition != nullptr ? b_.ir.CreateAnd(condition, other) : other; };
  fault_if(also(b_.ir.CreateICmpUGT(offset, used)), DS_FAULT_BADADDR, pointer, at);
  V is_at_end = b_.ir.CreateAnd(b_.ir.CreateICmpEQ(offset, used), b_.ir.CreateICmpNE(size, b_.number(0)));
  fault_if(also(is_at_end), DS_FAULT_BADADDR, pointer, at);
  fault_if(also(b_.ir.CreateICmpUGT(b_.ir.CreateAdd(offset, size), used)), DS_FAULT_BADSIZE, size, at);
}

// Scratch pointer -> address, if this clause has allocated [pointer, pointer + size). `size` is at most the limit.
V Emitter::scratch_address(V pointer, V size, const Expr& at) {
  if (alloca_area_ == 0) {  // nothing is ever allocated in this program
    fault_if(b_.ir.getTrue(), DS_FAULT_BADADDR, pointer, at);
    return frame_.slot;
  }
  V offset = b_.guarded(b_.ir.CreateSub(pointer, b_.number(scratch_base())));
  fault_if(b_.ir.CreateICmpUGT(offset, b_.number(scratch_limit())), DS_FAULT_BADADDR, pointer, at);
  check_scratch_bounds(nullptr, offset, pointer, size, at);
  return b_.at(scratch_at(alloca_area_), b_.guarded_below(offset, scratch_limit() + 1));
}

// Reading through what may be a scratch pointer: the number turns out to be one, or is taken for a kernel address.
V Emitter::readable_address(V pointer, V size, const Expr& at) {
  if (alloca_area_ == 0) return pointer;
  V offset = b_.guarded(b_.ir.CreateSub(pointer, b_.number(scratch_base())));
  V is_scratch = b_.ir.CreateICmpULE(offset, b_.number(scratch_limit()));
  check_scratch_bounds(is_scratch, offset, pointer, size, at);
  return b_.replaced_if(is_scratch, pointer, "scratch", [&] {
    return as_untracked_scalar(b_.at(scratch_at(alloca_area_), b_.guarded_below(offset, scratch_limit() + 1)));
  });
}

// Storing through a pointer to D variables: the verifier has as_untracked_scalar which memory the number means, so it
// is looked for in all that variables can have. Elements of associative arrays have no lasting place: BADADDR.
V Emitter::variable_memory(V pointer, uint64_t size, const Expr& at) {
  auto* found = llvm::BasicBlock::Create(b_.module().getContext(), "found", frame_.function);
  std::vector<std::pair<V, llvm::BasicBlock*>> candidates;
  auto consider = [&](V base, uint64_t bytes) {
    if (bytes < size) return;
    V offset = b_.guarded(b_.ir.CreateSub(pointer, as_untracked_scalar(base)));
    auto* inside = b_.block("inside");
    auto* outside = b_.block("outside");
    b_.ir.CreateCondBr(b_.ir.CreateICmpULE(offset, b_.number(bytes - size)), inside, outside);
    b_.start(inside);
    V address = b_.at(base, b_.guarded_below(offset, bytes - size + 1));
    candidates.emplace_back(address, inside);
    b_.ir.CreateBr(found);
    b_.start(outside);
  };
  if (layout_.globals_size != 0) consider(b_.map("ds_globals"), layout_.globals_size);
  if (layout_.scratch_reserved > scratch_claim_bytes)
    consider(scratch_at(scratch_claim_bytes), layout_.scratch_reserved - scratch_claim_bytes);
  conditionally([&] {
    if (layout_.task_size != 0) {
      V storage = task_storage(false);
      auto* present = b_.block("present");
      auto* absent = b_.block("absent");
      b_.ir.CreateCondBr(b_.is_zero(b_.to_number(storage)), absent, present);
      b_.start(present);
      consider(b_.guarded(storage), layout_.task_size);
      b_.ir.CreateBr(absent);
      b_.start(absent);
    }
    fault(DS_FAULT_BADADDR, pointer, at);
  });
  b_.start(found);
  if (candidates.empty()) return frame_.slot;  // not reached
  auto* address = b_.ir.CreatePHI(b_.ptr, static_cast<unsigned>(candidates.size()));
  for (auto& [candidate, block] : candidates) address->addIncoming(candidate, block);
  return address;
}

// An address as a plain number: read back by a helper, for the verifier allows hardly any arithmetic with pointers.
V Emitter::as_untracked_scalar(V address) {
  V place = b_.shared_slot(8, "address"), number = b_.shared_slot(8, "read");
  b_.ir.CreateStore(b_.to_number(address), place);
  b_.call(Helper::ProbeReadKernel, {number, b_.number32(8), place});
  return b_.load(number, 8, false);
}

// Where an lvalue is, as a plain number.
V Emitter::address_of(const Expr& object) {
  Place place = place_of(object, Access::Address);
  return place.space == Space::Storage ? as_untracked_scalar(place.address) : b_.to_number(place.address);
}

// A value where a number or a pointer is wanted: arrays and strings stand for the address of their bytes.
V Emitter::number_or_address(const Expr& expr) {
  const TypeTable& types = *meaning_.types;
  return types.is_scalar(type_of(expr)) || types.is_string(type_of(expr)) ? scalar(expr) : address_of(expr);
}

// ---------------------------------------------------------------- subroutines

// Room for `size` bytes, which are at most the limit, at the end of the clause's area; nothing is taken yet. `taken`:
// how many of them, or some more behind them, will be.
Emitter::NewScratch Emitter::new_scratch(V size, V taken, const Expr& at) {
  V limit = b_.number(scratch_limit());
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  V end = b_.ir.CreateAdd(used, b_.ir.CreateAnd(b_.ir.CreateAdd(taken, b_.number(7)), b_.number(~uint64_t{7})));
  fault_if(b_.ir.CreateICmpUGT(end, b_.number(round_up8(static_cast<uint32_t>(scratch_limit())))), DS_FAULT_NOSCRATCH,
           b_.number(0), at);
  fault_if(b_.ir.CreateICmpUGT(used, limit), DS_FAULT_NOSCRATCH, b_.number(0), at);
  // What is taken for a string ends with its block: behind it may be what an earlier firing read.
  V last_word = b_.ir.CreateAdd(used, b_.ir.CreateAnd(size, b_.number(~uint64_t{7})));
  b_.store(b_.at(scratch_at(alloca_area_), last_word), b_.number(0), 8);
  return {b_.ir.CreateAdd(used, b_.number(scratch_base())), b_.at(scratch_at(alloca_area_), used), end};
}

// alloca(size)
V Emitter::alloca_call(const Expr& expr, const Call& call) {
  V size = b_.guarded(scalar(*call.arguments[0]));
  fault_if(b_.ir.CreateICmpUGT(size, b_.number(scratch_limit())), DS_FAULT_NOSCRATCH, b_.number(0), expr);
  size = b_.guarded_below(size, scratch_limit() + 1);
  NewScratch scratch = new_scratch(size, size, expr);
  b_.ir.CreateStore(scratch.end, alloca_used_);
  return scratch.pointer;
}

// memref(address, size): a pointer to both of them, in the clause's area.
V Emitter::memref(const Expr& expr, const Call& call) {
  V address = source_address(*call.arguments[0]);
  V size = scalar(*call.arguments[1]);
  constexpr uint32_t words = 2 * 8;
  if (scratch_limit() < words) fault_if(b_.ir.getTrue(), DS_FAULT_NOSCRATCH, b_.number(0), expr);
  NewScratch scratch = new_scratch(b_.number(words), b_.number(words), expr);
  b_.store(scratch.address, address, 8);
  b_.store(b_.at(scratch.address, 8), size, 8);
  b_.ir.CreateStore(scratch.end, alloca_used_);
  return scratch.pointer;
}

// memstr(address, separator, size): the bytes before the last one as text, with separators for NULs.
StringValue Emitter::memory_text(const Expr& expr, const Call& call) {
  uint32_t capacity = round_up8(bound(expr));
  uint64_t characters = std::min(bound(expr) - 1, meaning_.types->strsize());
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V separator = scalar(*call.arguments[1]);
  V size = b_.guarded(scalar(*call.arguments[2]));
  fault_if(b_.ir.CreateICmpSLT(size, b_.number(0)), DS_FAULT_BADSIZE, size, expr);
  V count = b_.ir.CreateSelect(b_.is_zero(size), b_.number(0), b_.ir.CreateSub(size, b_.number(1)));
  V most = b_.number(characters);
  count = b_.guarded_below(b_.ir.CreateSelect(b_.ir.CreateICmpUGT(count, most), most, count), characters + 1);
  V data = temporary(capacity);
  b_.zero(data, capacity);
  copy_from(source, from, info(source).space == Space::User, count, data, characters, expr);
  b_.call_support("ds_memstr", b_.void_type,
                  {data, b_.number(pack_sizes(capacity, characters, 0, 0)), separator, count});
  return {data, capacity, nullptr};
}

// copyin(address, size): user memory into the clause's area.
V Emitter::copyin(const Expr& expr, const Call& call) {
  V address = scalar(*call.arguments[0]);
  V size = scratch_size(scalar(*call.arguments[1]), expr);
  // Nothing is an empty string, which has a place; scripts of Solaris end what they have copied in by themselves.
  V taken = is_solaris_mode() ? b_.ir.CreateAdd(size, b_.number(1))
                              : b_.ir.CreateSelect(b_.is_zero(size), b_.number(1), size);
  NewScratch scratch = new_scratch(size, taken, expr);
  auto room = static_cast<uint32_t>(scratch_limit());
  V result = read_user(scratch.address, room, b_.guarded(size), address);
  fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, expr);
  b_.ir.CreateStore(scratch.end, alloca_used_);
  return scratch.pointer;
}

// The number of bytes a subroutine is to copy, after a fault if it is negative or more than the area can have.
V Emitter::scratch_size(V size, const Expr& at) {
  size = b_.guarded(size);
  fault_if(b_.ir.CreateICmpUGT(size, b_.number(scratch_limit())), DS_FAULT_BADSIZE, size, at);
  return b_.guarded_below(size, scratch_limit() + 1);
}

// The address an argument stands for.
V Emitter::source_address(const Expr& source) {
  return is_string_value(source) ? b_.to_number(required_string(source).data) : number_or_address(source);
}

// Copies `size` bytes, which the verifier knows to fit, from the address that `source` gave. `room`: bytes at `to`.
void Emitter::copy_from(const Expr& source, V from, bool is_user, V size, V to, uint64_t room, const Expr& at) {
  bool is_string = is_string_value(source);
  if (!is_string) fault_if(b_.is_zero(from), DS_FAULT_BADADDR, b_.number(0), at);
  V address = may_be_scratch(info(source).space) && !is_user ? readable_address(from, size, at) : from;
  V count = b_.guarded(size);
  V result = is_user ? read_user(to, static_cast<uint32_t>(room), count, address)
                     : b_.call(Helper::ProbeReadKernel, {to, b_.ir.CreateTrunc(count, b_.i32), address});
  if (!is_string) fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, from, at);
}

// bcopy(from, to, size), copyinto(from, size, to)
V Emitter::copy_to_scratch(const Expr& expr, const Call& call, Subroutine id) {
  bool is_bcopy = id == Subroutine::Bcopy;
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V second = number_or_address(*call.arguments[1]), third = number_or_address(*call.arguments[2]);
  V size = scratch_size(is_bcopy ? third : second, expr);
  V to = scratch_address(is_bcopy ? second : third, size, expr);
  copy_from(source, from, !is_bcopy || info(source).space == Space::User, size, to, scratch_limit(), expr);
  return b_.number(0);
}

// copyout(from, to, size): by way of a temporary, as the kernel takes only memory that the verifier knows.
V Emitter::copyout(const Expr& expr, const Call& call) {
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V to = scalar(*call.arguments[1]);
  V size = b_.guarded(scalar(*call.arguments[2]));
  uint32_t room = round_up8(static_cast<uint32_t>(std::max<uint64_t>(scratch_limit(), string_capacity())));
  if (const auto& constant = info(*call.arguments[2]).constant; constant && *constant > room)
    room = round_up8(static_cast<uint32_t>(std::min(*constant, max_copied_out)));
  fault_if(b_.ir.CreateICmpUGT(size, b_.number(room)), DS_FAULT_BADSIZE, size, expr);
  V buffer = temporary(room);
  copy_from(source, from, info(source).space == Space::User, b_.guarded(size), buffer, room, expr);
  V written = b_.call(Helper::ProbeWriteUser, {to, buffer, b_.ir.CreateTrunc(b_.guarded(size), b_.i32)});
  fault_if(b_.ir.CreateICmpNE(written, b_.number(0)), DS_FAULT_BADADDR, to, expr);
  return b_.number(0);
}

// copyoutstr(string, to, most): with its terminator, if there is room for it.
V Emitter::copyoutstr(const Expr& expr, const Call& call) {
  StringValue text = required_string(*call.arguments[0]);
  V to = scalar(*call.arguments[1]);
  V most = scalar(*call.arguments[2]);
  uint32_t room = string_capacity();
  V buffer = temporary(room);
  store_string(buffer, meaning_.types->strsize() + 1, text);
  V length = b_.call_support("ds_strlen", b_.i64, {buffer, b_.number(room)});
  V size = b_.ir.CreateAdd(length, b_.number(1));
  size = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(size, b_.number(meaning_.types->strsize())),
                            b_.number(meaning_.types->strsize()), size);
  size = b_.guarded_below(b_.ir.CreateSelect(b_.ir.CreateICmpULT(most, size), most, size), uint64_t{room} + 1);
  V written = b_.call(Helper::ProbeWriteUser, {to, buffer, b_.ir.CreateTrunc(size, b_.i32)});
  fault_if(b_.ir.CreateICmpNE(written, b_.number(0)), DS_FAULT_BADADDR, to, expr);
  return b_.number(0);
}

}  // namespace dscope
