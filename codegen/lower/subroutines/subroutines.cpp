// Subroutines whose result is a number.
#include <algorithm>

#include "codegen/lower/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint64_t from_end = 0x7fffffffffffffffULL;  // DS_FROM_END of codegen/bpf/support.h

}  // namespace

// What the prototype calls an int.
V Emitter::int_argument(const Expr& expr) { return b_.narrow(scalar(expr), 4, true); }

V Emitter::subroutine(const Expr& expr, const Call& call, Subroutine id) {
  auto swapped = [&](uint32_t bits) {
    V value = b_.ir.CreateTrunc(scalar(*call.arguments[0]), b_.ir.getIntNTy(bits));
    return b_.ir.CreateZExt(b_.ir.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, value), b_.i64);
  };
  auto search = [&](const char* function, uint64_t default_start) {
    StringValue text = required_string(*call.arguments[0]);
    StringValue needle = required_string(*call.arguments[1]);
    V start = call.arguments.size() > 2 ? int_argument(*call.arguments[2]) : b_.number(default_start);
    V sizes = b_.number(pack_sizes(0, 0, text.capacity, needle.capacity));
    return b_.call_support(function, b_.i64, {text.data, needle.data, sizes, start});
  };
  // What was read before may be another thing now.
  auto written = [&](V result) {
    state_.known.forget_all();
    return result;
  };
  switch (id) {
    case Subroutine::Strlen: {
      StringValue text = required_string(*call.arguments[0]);
      return b_.call_support("ds_strlen", b_.i64, {text.data, b_.number(text.capacity)});
    }
    case Subroutine::Index: return search("ds_index", 0);
    case Subroutine::Rindex: return search("ds_rindex", from_end);
    case Subroutine::Rand: return b_.call(Helper::GetPrandomU32, {});
    case Subroutine::Htons:
    case Subroutine::Ntohs: return swapped(16);
    case Subroutine::Htonl:
    case Subroutine::Ntohl: return swapped(32);
    case Subroutine::Htonll:
    case Subroutine::Ntohll: return swapped(64);
    case Subroutine::Alloca: return alloca_call(expr, call);
    case Subroutine::Copyin: return copyin(expr, call);
    case Subroutine::Memref: return memref(expr, call);
    case Subroutine::Bcopy:
    case Subroutine::Copyinto: return written(copy_to_scratch(expr, call, id));
    case Subroutine::Copyout: return written(copyout(expr, call));
    case Subroutine::Copyoutstr: return written(copyoutstr(expr, call));
    case Subroutine::Strtoll: {
      StringValue text = required_string(*call.arguments[0]);
      V base = base_argument(expr, call);
      return b_.call_support("ds_strtoll", b_.i64, {text.data, b_.number(text.capacity), base});
    }
    // The kernel's own numbers of devices.
    case Subroutine::Getmajor:
      return b_.ir.CreateLShr(canonical(scalar(*call.arguments[0]), type_of(expr)), b_.number(20));
    case Subroutine::Getminor: return b_.ir.CreateAnd(scalar(*call.arguments[0]), b_.number(0xfffff));
    case Subroutine::MutexTypeAdaptive:
    case Subroutine::MutexTypeSpin:
      place_of_pointer(*call.arguments[0], expr);
      return b_.number(id == Subroutine::MutexTypeAdaptive ? 1 : 0);
    case Subroutine::MutexOwned:
    case Subroutine::MutexOwner:
    case Subroutine::RwIswriter:
    case Subroutine::RwReadHeld:
    case Subroutine::RwWriteHeld: return lock_question(expr, call, id);
    case Subroutine::UserWordOf: return user_word_of(call);
    case Subroutine::Progenyof: return progenyof(expr, call);
    case Subroutine::IsCurrent: DS_UNREACHABLE();  // a constant
    case Subroutine::HasUserMemory: return b_.number(has_other_subject() ? 0 : 1);
    case Subroutine::IpPayload: return b_.call_support("ds_ip_payload", b_.i64, {scalar(*call.arguments[0])});
    case Subroutine::IsLocalAddress: {
      V& layout = literals_["route layout"];
      if (layout == nullptr) layout = b_.constant_words32(compiled_.route_members, "route_layout");
      V net = scalar(*call.arguments[0]);
      return b_.call_support("ds_is_local", b_.i64, {net, scalar(*call.arguments[1]), layout});
    }
    case Subroutine::Registers: return opaque_to_verifier(saved_registers());
    case Subroutine::CpuInfo: {
      V row = b_.ir.CreateAdd(scalar(*call.arguments[0]), b_.number(1));
      uint64_t rows = compiled_.cpu_table.size() / std::max(1U, compiled_.cpu_table_row);
      row = bounded(row, rows, DS_FAULT_BADINDEX, expr);
      V& table = literals_["cpu table"];
      auto size = static_cast<uint32_t>(compiled_.cpu_table.size());
      if (table == nullptr) table = b_.constant_bytes(compiled_.cpu_table, size, "cpu_table");
      // A plain number, as scripts may compute with it.
      return as_untracked_scalar(b_.at(table, b_.ir.CreateMul(row, b_.number(compiled_.cpu_table_row))));
    }
    case Subroutine::Speculation: return take_speculation();
    default: break;
  }
  DS_UNREACHABLE();  // the others give strings: see string_call
}

std::optional<uint64_t> Emitter::object_member(std::string_view path) const {
  for (const ObjectMember& member : compiled_.object_members)
    if (member.path == path) return member.offset;
  return std::nullopt;
}

// The number in a lock that says who has it. A kernel whose locks are built otherwise (PREEMPT_RT) cannot be asked.
V Emitter::lock_word(const Expr& expr, const Call& call, const char* member, uint32_t size) {
  std::optional<uint64_t> offset = object_member(member);
  fault_if(b_.ir.getInt1(!offset), DS_FAULT_ILLOP, b_.number(0), expr);
  Place lock = place_of_pointer(*call.arguments[0], expr);
  lock.address = b_.ir.CreateAdd(b_.to_number(lock.address), b_.number(offset.value_or(0)));
  return read_checked(lock, size, false, expr);
}

// The states of struct mutex and of the kernel's queued rwlock_t.
V Emitter::lock_question(const Expr& expr, const Call& call, Subroutine id) {
  constexpr uint64_t mutex_flags = 7, writer_has = 0xff, writer_waits = 0x100, reader_shift = 9;
  if (id == Subroutine::MutexOwned || id == Subroutine::MutexOwner) {
    V owner = b_.ir.CreateAnd(lock_word(expr, call, "struct mutex.owner", 8), b_.number(~mutex_flags));
    if (id == Subroutine::MutexOwner) return owner;
    return b_.flag(b_.ir.CreateICmpEQ(owner, task_number()));
  }
  V word = lock_word(expr, call, "rwlock_t.raw_lock.cnts", 4);
  V value = nullptr;
  if (id == Subroutine::RwReadHeld) value = b_.ir.CreateLShr(word, b_.number(reader_shift));
  if (id == Subroutine::RwWriteHeld) value = b_.ir.CreateAnd(word, b_.number(writer_has));
  if (id == Subroutine::RwIswriter) value = b_.ir.CreateAnd(word, b_.number(writer_has | writer_waits));
  return b_.flag(b_.ir.CreateICmpNE(value, b_.number(0)));
}

V Emitter::progenyof(const Expr& expr, const Call& call) {
  std::optional<uint64_t> parent = object_member("struct task_struct.real_parent");
  std::optional<uint64_t> tgid = object_member("struct task_struct.tgid");
  fault_if(b_.ir.getInt1(!parent || !tgid), DS_FAULT_ILLOP, b_.number(0), expr);
  V pid = scalar(*call.arguments[0]);
  return is_progeny(task_number(), pid);
}

// 1 if the task is a process of that number or descends from it. The offsets must be known.
V Emitter::is_progeny(V task, V pid) {
  uint64_t parent = object_member("struct task_struct.real_parent").value_or(0);
  uint64_t tgid = object_member("struct task_struct.tgid").value_or(0);
  return b_.call_support("ds_progenyof", b_.i64, {task, b_.number(tgid << 32 | parent), pid});
}

}  // namespace dscope
