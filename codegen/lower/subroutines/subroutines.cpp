#include "codegen/lower/subroutines/subroutines.h"

#include <algorithm>

#include "codegen/lower/actions/speculation.h"
#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/memory/places.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/subroutines/copy_calls.h"
#include "codegen/lower/subroutines/lock_calls.h"
#include "codegen/lower/subroutines/process_calls.h"
#include "codegen/lower/subroutines/text_calls.h"
#include "codegen/lower/values/expressions.h"
#include "codegen/lower/values/string_memory.h"
#include "codegen/lower/values/strings.h"
#include "support/check.h"

namespace dscope {

V Subroutines::call(const Expr& expr, const Call& call, Subroutine id) {
  auto swapped = [&](uint32_t bits) {
    V value = b_.ir.CreateTrunc(expressions_.scalar(*call.arguments[0]), b_.ir.getIntNTy(bits));
    return b_.ir.CreateZExt(b_.ir.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, value), b_.i64);
  };
  auto search = [&](const char* function, uint64_t default_start) {
    StringValue text = strings_.required_string(*call.arguments[0]);
    StringValue needle = strings_.required_string(*call.arguments[1]);
    V start = call.arguments.size() > 2 ? expressions_.int_argument(*call.arguments[2]) : b_.number(default_start);
    V sizes = b_.number(pack_sizes(0, 0, text.capacity, needle.capacity));
    return b_.call_support(function, b_.i64, {text.data, needle.data, sizes, start});
  };
  // What was read before may be another thing now.
  auto written = [&](V result) {
    core_.forget_known_values();
    return result;
  };
  switch (id) {
    case Subroutine::Strlen: {
      StringValue text = strings_.required_string(*call.arguments[0]);
      return b_.call_support("ds_strlen", b_.i64, {text.data, b_.number(text.capacity)});
    }
    case Subroutine::Index: return search("ds_index", 0);
    case Subroutine::Rindex: return search("ds_rindex", DS_FROM_END);
    case Subroutine::Rand: return b_.call(Helper::GetPrandomU32, {});
    case Subroutine::Htons:
    case Subroutine::Ntohs: return swapped(16);
    case Subroutine::Htonl:
    case Subroutine::Ntohl: return swapped(32);
    case Subroutine::Htonll:
    case Subroutine::Ntohll: return swapped(64);
    case Subroutine::Alloca: return copy_calls_.alloca_call(expr, call);
    case Subroutine::Copyin: return copy_calls_.copyin(expr, call);
    case Subroutine::Memref: return copy_calls_.memref(expr, call);
    case Subroutine::Bcopy:
    case Subroutine::Copyinto: return written(copy_calls_.copy_to_scratch(expr, call, id));
    case Subroutine::Copyout: return written(copy_calls_.copyout(expr, call));
    case Subroutine::Copyoutstr: return written(copy_calls_.copyoutstr(expr, call));
    case Subroutine::Strtoll: {
      StringValue text = strings_.required_string(*call.arguments[0]);
      V base = text_calls_.base_argument(expr, call);
      return b_.call_support("ds_strtoll", b_.i64, {text.data, b_.number(text.capacity), base});
    }
    // The kernel's own numbers of devices.
    case Subroutine::Getmajor:
      return b_.ir.CreateLShr(expressions_.canonical(expressions_.scalar(*call.arguments[0]), type_of(expr)),
                              b_.number(20));
    case Subroutine::Getminor: return b_.ir.CreateAnd(expressions_.scalar(*call.arguments[0]), b_.number(0xfffff));
    case Subroutine::MutexTypeAdaptive:
    case Subroutine::MutexTypeSpin:
      places_.place_of_pointer(*call.arguments[0], expr);
      return b_.number(id == Subroutine::MutexTypeAdaptive ? 1 : 0);
    case Subroutine::MutexOwned:
    case Subroutine::MutexOwner:
    case Subroutine::RwIswriter:
    case Subroutine::RwReadHeld:
    case Subroutine::RwWriteHeld: return lock_calls_.lock_question(expr, call, id);
    case Subroutine::UserWordOf: return process_calls_.user_word_of(call);
    case Subroutine::Progenyof: return progenyof(expr, call);
    case Subroutine::IsCurrent: DS_UNREACHABLE();  // a constant
    case Subroutine::HasUserMemory: return b_.number(task_.has_other_subject() ? 0 : 1);
    case Subroutine::IpPayload:
      return b_.call_support("ds_ip_payload", b_.i64, {expressions_.scalar(*call.arguments[0])});
    case Subroutine::IsLocalAddress: {
      if (route_table_ == nullptr)
        route_table_ = b_.constant_layout(compiled_.route_layout.value_or(ds_route_layout{}), "route_layout");
      V net = expressions_.scalar(*call.arguments[0]);
      return b_.call_support("ds_is_local", b_.i64, {net, expressions_.scalar(*call.arguments[1]), route_table_});
    }
    case Subroutine::Registers: return b_.opaque_to_verifier(syscalls_.saved_registers());
    case Subroutine::CpuInfo: {
      V row = b_.ir.CreateAdd(expressions_.scalar(*call.arguments[0]), b_.number(1));
      uint64_t rows = compiled_.cpu_table.size() / std::max(1U, compiled_.cpu_table_row);
      row = faults_.bounded(row, rows, DS_FAULT_BADINDEX, expr);
      auto size = static_cast<uint32_t>(compiled_.cpu_table.size());
      if (cpu_table_ == nullptr) cpu_table_ = b_.constant_bytes(compiled_.cpu_table, size, "cpu_table");
      // A plain number, as scripts may compute with it.
      return b_.as_untracked_scalar(b_.at(cpu_table_, b_.ir.CreateMul(row, b_.number(compiled_.cpu_table_row))));
    }
    case Subroutine::Speculation: return speculation_.take();
    default: break;
  }
  DS_UNREACHABLE();  // the others give strings: see string_call
}

V Subroutines::progenyof(const Expr& expr, const Call& call) {
  std::optional<uint64_t> parent = memory_.object_member("struct task_struct.real_parent");
  std::optional<uint64_t> tgid = memory_.object_member("struct task_struct.tgid");
  faults_.fault_if(b_.ir.getInt1(!parent || !tgid), DS_FAULT_ILLOP, b_.number(0), expr);
  V pid = expressions_.scalar(*call.arguments[0]);
  return task_.is_progeny(task_.task_number(), pid);
}

}  // namespace dscope
