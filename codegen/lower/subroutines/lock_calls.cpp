#include "codegen/lower/subroutines/lock_calls.h"

#include "codegen/lower/lowerers.h"

namespace dscope {

// The word of a lock that identifies its holder. Faults on kernels with other lock structures (PREEMPT_RT).
V LockCalls::lock_word(const Expr& expr, const Call& call, const char* member, uint32_t size) {
  std::optional<uint64_t> offset = memory_.object_member(member);
  faults_.fault_if(b_.ir.getInt1(!offset), DS_FAULT_ILLOP, b_.number(0), expr);
  Place lock = places_.place_of_pointer(*call.arguments[0], expr);
  lock.address = b_.ir.CreateAdd(b_.to_number(lock.address), b_.number(offset.value_or(0)));
  return memory_.read_checked(lock, size, false, expr);
}

// Decodes the state of struct mutex and of the kernel's queued rwlock_t.
V LockCalls::query_lock(const Expr& expr, const Call& call, Subroutine id) {
  constexpr uint64_t mutex_flags = 7, writer_locked = 0xff, writer_waiting = 0x100, reader_shift = 9;
  if (id == Subroutine::MutexOwned || id == Subroutine::MutexOwner) {
    V owner = b_.ir.CreateAnd(lock_word(expr, call, "struct mutex.owner", 8), b_.number(~mutex_flags));
    if (id == Subroutine::MutexOwner) return owner;
    return b_.flag(b_.ir.CreateICmpEQ(owner, task_.task_number()));
  }
  V word = lock_word(expr, call, "rwlock_t.raw_lock.cnts", 4);
  V value = nullptr;
  if (id == Subroutine::RwReadHeld) value = b_.ir.CreateLShr(word, b_.number(reader_shift));
  if (id == Subroutine::RwWriteHeld) value = b_.ir.CreateAnd(word, b_.number(writer_locked));
  if (id == Subroutine::RwIswriter) value = b_.ir.CreateAnd(word, b_.number(writer_locked | writer_waiting));
  return b_.flag(b_.ir.CreateICmpNE(value, b_.number(0)));
}

SubroutineResult emit_MutexOwned(const SubroutineCall& call) {
  return call.lower.lock_calls.query_lock(call.expr, call.form, Subroutine::MutexOwned);
}

SubroutineResult emit_MutexOwner(const SubroutineCall& call) {
  return call.lower.lock_calls.query_lock(call.expr, call.form, Subroutine::MutexOwner);
}

SubroutineResult emit_RwIswriter(const SubroutineCall& call) {
  return call.lower.lock_calls.query_lock(call.expr, call.form, Subroutine::RwIswriter);
}

SubroutineResult emit_RwReadHeld(const SubroutineCall& call) {
  return call.lower.lock_calls.query_lock(call.expr, call.form, Subroutine::RwReadHeld);
}

SubroutineResult emit_RwWriteHeld(const SubroutineCall& call) {
  return call.lower.lock_calls.query_lock(call.expr, call.form, Subroutine::RwWriteHeld);
}

}  // namespace dscope
