#include "codegen/lower/subroutines/copy_calls.h"

#include <algorithm>

#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

constexpr uint64_t max_copied_out = 16 << 10;

}  // namespace

// alloca(size)
V CopyCalls::alloca_call(const Expr& expr, const Call& call) {
  V size = b_.pin(expressions_.scalar(*call.arguments[0]));
  faults_.fault_if(b_.ir.CreateICmpUGT(size, b_.number(alloca_memory_.limit())), DS_FAULT_NOSCRATCH, b_.number(0),
                   expr);
  size = b_.pin_below(size, alloca_memory_.limit() + 1);
  AllocaMemory::Allocation scratch = alloca_memory_.reserve(size, size, expr);
  alloca_memory_.set_used(scratch.end);
  return scratch.pointer;
}

// memref(address, size): stores both in the clause's area and returns a pointer to them.
V CopyCalls::memref(const Expr& expr, const Call& call) {
  V address = source_address(*call.arguments[0]);
  V size = expressions_.scalar(*call.arguments[1]);
  constexpr uint32_t words = 2 * 8;
  if (alloca_memory_.limit() < words) faults_.fault_if(b_.ir.getTrue(), DS_FAULT_NOSCRATCH, b_.number(0), expr);
  AllocaMemory::Allocation scratch = alloca_memory_.reserve(b_.number(words), b_.number(words), expr);
  b_.store(scratch.address, address, 8);
  b_.store(b_.at(scratch.address, 8), size, 8);
  alloca_memory_.set_used(scratch.end);
  return scratch.pointer;
}

// memstr(address, separator, size): all bytes but the last as text, with separators for NULs.
StringValue CopyCalls::memstr(const Expr& expr, const Call& call) {
  uint32_t capacity = round_up8(bound(expr));
  uint64_t characters = std::min(bound(expr) - 1, meaning_.types->strsize());
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V separator = expressions_.scalar(*call.arguments[1]);
  V size = b_.pin(expressions_.scalar(*call.arguments[2]));
  faults_.fault_if(b_.ir.CreateICmpSLT(size, b_.number(0)), DS_FAULT_BADSIZE, size, expr);
  V count = b_.ir.CreateSelect(b_.is_zero(size), b_.number(0), b_.ir.CreateSub(size, b_.number(1)));
  V limit = b_.number(characters);
  count = b_.pin_below(b_.ir.CreateSelect(b_.ir.CreateICmpUGT(count, limit), limit, count), characters + 1);
  V data = scratch_.temporary(capacity);
  b_.zero(data, capacity);
  copy_from(source, from, info(source).space == Space::User, count, data, characters, expr);
  b_.call_support("ds_memstr", b_.void_type,
                  {data, b_.number(pack_sizes(capacity, characters, 0, 0)), separator, count});
  return {data, capacity, nullptr};
}

// copyin(address, size): copies user memory to the clause's area.
V CopyCalls::copyin(const Expr& expr, const Call& call) {
  V address = expressions_.scalar(*call.arguments[0]);
  V size = alloca_memory_.checked_size(expressions_.scalar(*call.arguments[1]), expr);
  // copyin(p, 0) allocates one byte too: its result is an empty string.
  V claimed = dialect().has_room_for_terminator_after_copyin()
                  ? b_.ir.CreateAdd(size, b_.number(1))
                  : b_.ir.CreateSelect(b_.is_zero(size), b_.number(1), size);
  AllocaMemory::Allocation scratch = alloca_memory_.reserve(size, claimed, expr);
  auto room = static_cast<uint32_t>(alloca_memory_.limit());
  V result = user_memory_.read(scratch.address, room, b_.pin(size), address);
  faults_.fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, expr);
  alloca_memory_.set_used(scratch.end);
  return scratch.pointer;
}

// The address that an argument denotes.
V CopyCalls::source_address(const Expr& source) {
  return is_string_value(source) ? b_.to_number(strings_.required_string(source).data)
                                 : expressions_.number_or_address(source);
}

// Copies `size` bytes, which the verifier knows to fit, from `from`, the address of `source`. `room`: bytes at `to`.
void CopyCalls::copy_from(const Expr& source, V from, bool is_user, V size, V to, uint64_t room, const Expr& at) {
  bool is_string = is_string_value(source);
  if (!is_string) faults_.fault_if(b_.is_zero(from), DS_FAULT_BADADDR, b_.number(0), at);
  V address = may_be_scratch(info(source).space) && !is_user ? alloca_memory_.readable_address(from, size, at) : from;
  V count = b_.pin(size);
  V result = is_user ? user_memory_.read(to, static_cast<uint32_t>(room), count, address)
                     : b_.call(Helper::ProbeReadKernel, {to, b_.ir.CreateTrunc(count, b_.i32), address});
  if (!is_string) faults_.fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, from, at);
}

// bcopy(from, to, size), copyinto(from, size, to)
V CopyCalls::copy_to_scratch(const Expr& expr, const Call& call, Subroutine id) {
  bool is_bcopy = id == Subroutine::Bcopy;
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V second = expressions_.number_or_address(*call.arguments[1]),
    third = expressions_.number_or_address(*call.arguments[2]);
  V size = alloca_memory_.checked_size(is_bcopy ? third : second, expr);
  V to = alloca_memory_.address(is_bcopy ? second : third, size, expr);
  copy_from(source, from, !is_bcopy || info(source).space == Space::User, size, to, alloca_memory_.limit(), expr);
  return b_.number(0);
}

// copyout(from, to, size): copies through a temporary, because the helper accepts only memory that the verifier tracks.
V CopyCalls::copyout(const Expr& expr, const Call& call) {
  const Expr& source = *call.arguments[0];
  V from = source_address(source);
  V to = expressions_.scalar(*call.arguments[1]);
  V size = b_.pin(expressions_.scalar(*call.arguments[2]));
  uint32_t room = round_up8(static_cast<uint32_t>(std::max<uint64_t>(alloca_memory_.limit(), string_capacity())));
  if (const auto& constant = info(*call.arguments[2]).constant; constant && *constant > room)
    room = round_up8(static_cast<uint32_t>(std::min(*constant, max_copied_out)));
  faults_.fault_if(b_.ir.CreateICmpUGT(size, b_.number(room)), DS_FAULT_BADSIZE, size, expr);
  V buffer = scratch_.temporary(room);
  copy_from(source, from, info(source).space == Space::User, b_.pin(size), buffer, room, expr);
  V written = b_.call(Helper::ProbeWriteUser, {to, buffer, b_.ir.CreateTrunc(b_.pin(size), b_.i32)});
  faults_.fault_if(b_.ir.CreateICmpNE(written, b_.number(0)), DS_FAULT_BADADDR, to, expr);
  return b_.number(0);
}

// copyoutstr(string, to, maxlen): includes the terminator if it fits.
V CopyCalls::copyoutstr(const Expr& expr, const Call& call) {
  StringValue text = strings_.required_string(*call.arguments[0]);
  V to = expressions_.scalar(*call.arguments[1]);
  V max_length = expressions_.scalar(*call.arguments[2]);
  uint32_t room = string_capacity();
  V buffer = scratch_.temporary(room);
  string_memory_.store(buffer, meaning_.types->strsize() + 1, text);
  V length = b_.call_support("ds_strlen", b_.i64, {buffer, b_.number(room)});
  V size = b_.ir.CreateAdd(length, b_.number(1));
  size = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(size, b_.number(meaning_.types->strsize())),
                            b_.number(meaning_.types->strsize()), size);
  size = b_.pin_below(b_.ir.CreateSelect(b_.ir.CreateICmpULT(max_length, size), max_length, size), uint64_t{room} + 1);
  V written = b_.call(Helper::ProbeWriteUser, {to, buffer, b_.ir.CreateTrunc(size, b_.i32)});
  faults_.fault_if(b_.ir.CreateICmpNE(written, b_.number(0)), DS_FAULT_BADADDR, to, expr);
  return b_.number(0);
}

namespace {

// Call this after a write: cached values of memory may be stale.
V after_write(const SubroutineCall& call, V result) {
  call.lower.core.invalidate_known_values();
  return result;
}

}  // namespace

SubroutineResult emit_Alloca(const SubroutineCall& call) {
  return call.lower.copy_calls.alloca_call(call.expr, call.form);
}

SubroutineResult emit_Copyin(const SubroutineCall& call) { return call.lower.copy_calls.copyin(call.expr, call.form); }

SubroutineResult emit_Memref(const SubroutineCall& call) { return call.lower.copy_calls.memref(call.expr, call.form); }

SubroutineResult emit_Memstr(const SubroutineCall& call) { return call.lower.copy_calls.memstr(call.expr, call.form); }

SubroutineResult emit_Bcopy(const SubroutineCall& call) {
  return after_write(call, call.lower.copy_calls.copy_to_scratch(call.expr, call.form, Subroutine::Bcopy));
}

SubroutineResult emit_Copyinto(const SubroutineCall& call) {
  return after_write(call, call.lower.copy_calls.copy_to_scratch(call.expr, call.form, Subroutine::Copyinto));
}

SubroutineResult emit_Copyout(const SubroutineCall& call) {
  return after_write(call, call.lower.copy_calls.copyout(call.expr, call.form));
}

SubroutineResult emit_Copyoutstr(const SubroutineCall& call) {
  return after_write(call, call.lower.copy_calls.copyoutstr(call.expr, call.form));
}

}  // namespace dscope
