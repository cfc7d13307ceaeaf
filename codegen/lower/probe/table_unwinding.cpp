#include "codegen/lower/probe/table_unwinding.h"

#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "contract/unwind_format.h"
#include "contract/unwind_plan.h"

namespace dscope {

bool TableUnwinding::is_used() const { return compiled_.unwind_layout && has_unwind_tables(plan_); }

V TableUnwinding::unwind(V to, uint32_t bytes, V walk) {
  V layout = core_.machine_table({.kind = unwind_layout_table}, "ds_unwind_offsets");
  llvm::cast<llvm::GlobalVariable>(layout)->setLinkage(llvm::GlobalValue::ExternalLinkage);
  const UnwindRegisters& unwinding = architecture_.unwinding;
  auto set = [&](size_t offset, V value) { b_.store(b_.at(walk, offset), value, 8); };
  set(offsetof(ds_unwind_walk, code), syscalls_.user_register(architecture_.instruction_pointer));
  set(offsetof(ds_unwind_walk, stack), syscalls_.user_register(architecture_.stack_pointer));
  set(offsetof(ds_unwind_walk, frame), syscalls_.user_register(unwinding.offsets[unwinding.frame_pointer]));
  set(offsetof(ds_unwind_walk, process), b_.ir.CreateLShr(task_.own_pid_tgid(), b_.number(32)));
  return b_.call_support("ds_unwind", b_.i64, {to, b_.number(bytes / 8), walk});
}

}  // namespace dscope
