#include "codegen/lower/probe/builtins.h"

#include "codegen/lower/probe/probe_names.h"
#include "codegen/lower/probe/stacks.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/values/strings.h"
#include "support/check.h"

namespace dscope {

V Builtins::builtin(BuiltinVariable variable, const Expr& at) {
  V low = b_.number(0xffffffff);
  auto high_half = [&](V pair) { return b_.ir.CreateLShr(pair, b_.number(32)); };
  auto as_int = [&](V value) { return b_.narrow(value, 4, true); };
  switch (variable) {
    case BuiltinVariable::Pid: return as_int(high_half(task_.visible_pid_tgid(at)));
    case BuiltinVariable::Tid: return as_int(task_.visible_pid_tgid(at));
    case BuiltinVariable::Uid: return b_.ir.CreateAnd(task_.uid_gid(at), low);
    case BuiltinVariable::Gid: return high_half(task_.uid_gid(at));
    case BuiltinVariable::Ppid: return as_int(task_.task_member(row(variable).task_member, at));
    case BuiltinVariable::Cpu: return b_.ir.CreateAnd(task_.cpu_number(), low);
    case BuiltinVariable::Curthread: return task_.task_number();
    case BuiltinVariable::Id: return probe_names_.probe_id();
    case BuiltinVariable::Epid:
      return b_.ir.CreateOr(b_.ir.CreateShl(probe_names_.probe_id(), b_.number(32)),
                            b_.number(state_.clause_plan->number + 1));
    case BuiltinVariable::Timestamp:
      return core_.once(CachedValue::Timestamp, [&] { return b_.call(Helper::KtimeGetNs, {}); });
    case BuiltinVariable::Walltimestamp: {
      V clock = builtin(BuiltinVariable::Timestamp, at);
      return b_.ir.CreateAdd(clock, b_.load(b_.at(b_.map("ds_state"), offsetof(ds_state, boot_to_wall_ns)), 8, false));
    }
    case BuiltinVariable::Vtimestamp: return task_.task_member(row(variable).task_member, at);
    case BuiltinVariable::Errno:
      return frame_.program != nullptr && frame_.program->is_return ? syscalls_.error_number() : b_.number(0);
    case BuiltinVariable::Caller: return stacks_.kernel_caller();
    case BuiltinVariable::Ucaller: return stacks_.user_caller();
    case BuiltinVariable::Stackdepth: return stacks_.kernel_depth();
    case BuiltinVariable::Ustackdepth: return stacks_.user_depth();
    case BuiltinVariable::Ipl: return b_.number(0);
    case BuiltinVariable::Uregs: break;  // always has an index: see user_register
    case BuiltinVariable::Container:
    case BuiltinVariable::Pod:
    case BuiltinVariable::Namespace:
    case BuiltinVariable::Image:
    case BuiltinVariable::Execname:
    case BuiltinVariable::Probeprov:
    case BuiltinVariable::Probemod:
    case BuiltinVariable::Probefunc:
    case BuiltinVariable::Probename: return b_.to_number(strings_.string(at).data);
  }
  DS_UNREACHABLE();
}

V Builtins::user_register(uint32_t index, const Expr& at) {
  std::string_view path = user_register_path(*layout_.architecture, index);
  return path.empty() ? syscalls_.register_at(index * 8) : task_.task_member(path, at);
}

}  // namespace dscope
