// Subroutines that query the kernel's locks: mutex_owned(), rw_read_held() ...
#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

// The states of struct mutex and of the kernel's queued rwlock_t.
constexpr uint64_t mutex_flags = 7, writer_locked = 0xff, writer_waiting = 0x100, reader_shift = 9;

// The word of a lock that identifies its holder. Faults on kernels with other lock structures (PREEMPT_RT).
V lock_word(const SubroutineCall& call, const char* member, uint32_t size) {
  BpfBuilder& b = call.builder();
  std::optional<MachineNumber> offset = call.lower.memory.object_member(member);
  call.lower.faults.fault_if(b.ir.getInt1(!offset), DS_FAULT_ILLOP, b.number(0), call.expr);
  Place lock = call.lower.places.place_of_pointer(call.argument(0), call.expr);
  lock.address = b.add(b.to_number(lock.address), offset.value_or(0));
  return call.lower.memory.read_checked(lock, size, false, call.expr);
}

// The task that holds a mutex; 0: none.
V mutex_owner(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  return b.ir.CreateAnd(lock_word(call, "struct mutex.owner", 8), b.number(~mutex_flags));
}

V rwlock_word(const SubroutineCall& call) { return lock_word(call, "rwlock_t.raw_lock.cnts", 4); }

V has_bits(const SubroutineCall& call, V word, uint64_t bits) {
  BpfBuilder& b = call.builder();
  return b.flag(b.ir.CreateICmpNE(b.ir.CreateAnd(word, b.number(bits)), b.number(0)));
}

}  // namespace

SubroutineResult emit_MutexOwner(const SubroutineCall& call) { return mutex_owner(call); }

SubroutineResult emit_MutexOwned(const SubroutineCall& call) {
  V owner = mutex_owner(call);
  return call.builder().flag(call.builder().ir.CreateICmpEQ(owner, call.lower.task.task_number()));
}

SubroutineResult emit_RwReadHeld(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V readers = b.ir.CreateLShr(rwlock_word(call), b.number(reader_shift));
  return b.flag(b.ir.CreateICmpNE(readers, b.number(0)));
}

SubroutineResult emit_RwWriteHeld(const SubroutineCall& call) {
  return has_bits(call, rwlock_word(call), writer_locked);
}

SubroutineResult emit_RwIswriter(const SubroutineCall& call) {
  return has_bits(call, rwlock_word(call), writer_locked | writer_waiting);
}

}  // namespace dscope
