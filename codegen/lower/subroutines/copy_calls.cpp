// Subroutines that allocate scratch memory and copy memory: alloca(), copyin(), copyout(), bcopy() ...
#include <algorithm>

#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

constexpr uint64_t max_copied_out = 16 << 10;

bool is_string(const SubroutineCall& call, const Expr& expr) {
  return call.lower.core.meaning.types->is_string(call.info(expr).type);
}

bool is_user(const SubroutineCall& call, const Expr& source) { return call.info(source).space == Space::User; }

// The address that an argument denotes.
V source_address(const SubroutineCall& call, const Expr& source) {
  return is_string(call, source) ? call.builder().to_number(call.lower.strings.required_string(source).data)
                                 : call.lower.expressions.number_or_address(source);
}

// Copies `size` bytes, which the verifier knows to fit, from `from`, the address of `source`. `room`: bytes at `to`.
void copy_from(const SubroutineCall& call, const Expr& source, V from, bool is_user, V size, V to, uint64_t room) {
  BpfBuilder& b = call.builder();
  Faults& faults = call.lower.faults;
  bool may_fault = !is_string(call, source);
  if (may_fault) faults.fault_if(b.is_zero(from), DS_FAULT_BADADDR, b.number(0), call.expr);
  bool is_scratch = may_be_scratch(call.info(source).space) && !is_user;
  V address = is_scratch ? call.lower.alloca_memory.readable_address(from, size, call.expr) : from;
  V count = b.pin(size);
  V result = is_user ? call.lower.user_memory.read(to, static_cast<uint32_t>(room), count, address)
                     : b.call(Helper::ProbeReadKernel, {to, b.ir.CreateTrunc(count, b.i32), address});
  if (may_fault)
    faults.read_fault_if(b.ir.CreateICmpNE(result, b.number(0)), is_user ? Space::User : Space::Kernel, from,
                         call.expr);
}

void write_user(const SubroutineCall& call, V to, V buffer, V size) {
  BpfBuilder& b = call.builder();
  V written = b.call(Helper::ProbeWriteUser, {to, buffer, b.ir.CreateTrunc(size, b.i32)});
  call.lower.faults.fault_if(b.ir.CreateICmpNE(written, b.number(0)), DS_FAULT_BADADDR, to, call.expr);
}

// The result of a subroutine that writes memory: cached values of memory may be stale.
V after_write(const SubroutineCall& call) {
  V result = call.builder().number(0);
  call.lower.core.invalidate_known_values();
  return result;
}

}  // namespace

// alloca(size)
SubroutineResult emit_Alloca(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  AllocaMemory& memory = call.lower.alloca_memory;
  V size = b.pin(call.scalar(0));
  call.lower.faults.fault_if(b.ir.CreateICmpUGT(size, b.number(memory.limit())), DS_FAULT_NOSCRATCH, b.number(0),
                             call.expr);
  size = b.pin_below(size, memory.limit() + 1);
  AllocaMemory::Allocation scratch = memory.reserve(size, size, call.expr);
  memory.set_used(scratch.end);
  return scratch.pointer;
}

// memref(address, size): stores both in the clause's area and returns a pointer to them.
SubroutineResult emit_Memref(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  AllocaMemory& memory = call.lower.alloca_memory;
  V address = source_address(call, call.argument(0));
  V size = call.scalar(1);
  constexpr uint32_t words = 2 * 8;
  if (memory.limit() < words) call.lower.faults.fault_if(b.ir.getTrue(), DS_FAULT_NOSCRATCH, b.number(0), call.expr);
  AllocaMemory::Allocation scratch = memory.reserve(b.number(words), b.number(words), call.expr);
  b.store(scratch.address, address, 8);
  b.store(b.at(scratch.address, 8), size, 8);
  memory.set_used(scratch.end);
  return scratch.pointer;
}

// memstr(address, separator, size): all bytes but the last as text, with separators for NULs.
SubroutineResult emit_Memstr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  uint64_t characters = std::min(call.bound() - 1, call.strsize());
  const Expr& source = call.argument(0);
  V from = source_address(call, source);
  V separator = call.scalar(1);
  V size = b.pin(call.scalar(2));
  call.lower.faults.fault_if(b.ir.CreateICmpSLT(size, b.number(0)), DS_FAULT_BADSIZE, size, call.expr);
  V count = b.ir.CreateSelect(b.is_zero(size), b.number(0), b.ir.CreateSub(size, b.number(1)));
  V limit = b.number(characters);
  count = b.pin_below(b.ir.CreateSelect(b.ir.CreateICmpUGT(count, limit), limit, count), characters + 1);
  V data = call.result();
  b.zero(data, call.capacity());
  copy_from(call, source, from, is_user(call, source), count, data, characters);
  b.call_support("ds_memstr", b.void_type, {data, call.sizes(), separator, count});
  return call.text(data);
}

// copyin(address, size): copies user memory to the clause's area.
SubroutineResult emit_Copyin(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  AllocaMemory& memory = call.lower.alloca_memory;
  V address = call.scalar(0);
  V size = memory.checked_size(call.scalar(1), call.expr);
  // copyin(p, 0) allocates one byte too: its result is an empty string.
  V claimed = call.lower.core.meaning.dialect.has_room_for_terminator_after_copyin()
                  ? b.ir.CreateAdd(size, b.number(1))
                  : b.ir.CreateSelect(b.is_zero(size), b.number(1), size);
  AllocaMemory::Allocation scratch = memory.reserve(size, claimed, call.expr);
  auto room = static_cast<uint32_t>(memory.limit());
  V result = call.lower.user_memory.read(scratch.address, room, b.pin(size), address);
  call.lower.faults.fault_if(b.ir.CreateICmpNE(result, b.number(0)), DS_FAULT_BADADDR, address, call.expr);
  memory.set_used(scratch.end);
  return scratch.pointer;
}

// bcopy(from, to, size)
SubroutineResult emit_Bcopy(const SubroutineCall& call) {
  AllocaMemory& memory = call.lower.alloca_memory;
  const Expr& source = call.argument(0);
  V from = source_address(call, source);
  V to = call.lower.expressions.number_or_address(call.argument(1));
  V size = memory.checked_size(call.lower.expressions.number_or_address(call.argument(2)), call.expr);
  to = memory.address(to, size, call.expr);
  copy_from(call, source, from, is_user(call, source), size, to, memory.limit());
  return after_write(call);
}

// copyinto(from, size, to)
SubroutineResult emit_Copyinto(const SubroutineCall& call) {
  AllocaMemory& memory = call.lower.alloca_memory;
  V from = source_address(call, call.argument(0));
  V size = call.lower.expressions.number_or_address(call.argument(1));
  V to = call.lower.expressions.number_or_address(call.argument(2));
  size = memory.checked_size(size, call.expr);
  to = memory.address(to, size, call.expr);
  copy_from(call, call.argument(0), from, true, size, to, memory.limit());
  return after_write(call);
}

// copyout(from, to, size): copies through a temporary, because the helper accepts only memory that the verifier tracks.
SubroutineResult emit_Copyout(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  const Expr& source = call.argument(0);
  V from = source_address(call, source);
  V to = call.scalar(1);
  V size = b.pin(call.scalar(2));
  uint64_t limit = std::max<uint64_t>(call.lower.alloca_memory.limit(), call.string_capacity());
  uint32_t room = round_up8(static_cast<uint32_t>(limit));
  if (const ExprInfo& bytes = call.info(call.argument(2)); bytes.constant)
    room = std::max(room,
                    round_up8(static_cast<uint32_t>(std::min(call.lower.core.fixed_constant(bytes), max_copied_out))));
  call.lower.faults.fault_if(b.ir.CreateICmpUGT(size, b.number(room)), DS_FAULT_BADSIZE, size, call.expr);
  V buffer = call.lower.scratch.temporary(room);
  copy_from(call, source, from, is_user(call, source), b.pin(size), buffer, room);
  write_user(call, to, buffer, b.pin(size));
  return after_write(call);
}

// copyoutstr(string, to, maxlen): includes the terminator if it fits.
SubroutineResult emit_Copyoutstr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  V to = call.scalar(1);
  V max_length = call.scalar(2);
  uint32_t room = call.string_capacity();
  V buffer = call.lower.scratch.temporary(room);
  call.lower.string_memory.store(buffer, call.strsize() + 1, text);
  V length = b.call_support("ds_strlen", b.i64, {buffer, b.number(room)});
  V size = b.ir.CreateAdd(length, b.number(1));
  V strsize = b.number(call.strsize());
  size = b.ir.CreateSelect(b.ir.CreateICmpUGT(size, strsize), strsize, size);
  size = b.pin_below(b.ir.CreateSelect(b.ir.CreateICmpULT(max_length, size), max_length, size), uint64_t{room} + 1);
  write_user(call, to, buffer, size);
  return after_write(call);
}

}  // namespace dscope
