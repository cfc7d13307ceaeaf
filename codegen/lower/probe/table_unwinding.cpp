#include "codegen/lower/probe/table_unwinding.h"

#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "contract/stacks/unwind_format.h"
#include "contract/stacks/unwind_tables.h"

namespace dscope {

bool TableUnwinding::is_used() const {
  return has_unwind_tables(plan_) && memory_.object_member("struct mm_struct.exec_vm");
}

void TableUnwinding::set_offset(V walk, size_t at, std::string_view member) {
  V offset = b_.number(memory_.object_member(member).value_or(0));
  b_.store(b_.at(walk, offsetof(ds_unwind_walk, offsets) + at), offset, 8);
}

V TableUnwinding::unwind(V to, uint32_t bytes, V walk) {
  set_offset(walk, offsetof(ds_unwind_offsets, task_memory), "struct task_struct.mm");
  set_offset(walk, offsetof(ds_unwind_offsets, task_parent), "struct task_struct.real_parent");
  set_offset(walk, offsetof(ds_unwind_offsets, task_process), "struct task_struct.tgid");
  set_offset(walk, offsetof(ds_unwind_offsets, memory_stack_start), "struct mm_struct.start_stack");
  set_offset(walk, offsetof(ds_unwind_offsets, memory_code_pages), "struct mm_struct.exec_vm");
  const UnwindRegisters& unwinding = architecture_.unwinding;
  auto set = [&](size_t at, V value) { b_.store(b_.at(walk, at), value, 8); };
  set(offsetof(ds_unwind_walk, code), syscalls_.user_register(architecture_.instruction_pointer));
  set(offsetof(ds_unwind_walk, stack), syscalls_.user_register(architecture_.stack_pointer));
  set(offsetof(ds_unwind_walk, frame), syscalls_.user_register(unwinding.offsets[unwinding.frame_pointer]));
  set(offsetof(ds_unwind_walk, process), b_.ir.CreateLShr(task_.own_pid_tgid(), b_.number(32)));
  return b_.call_support("ds_unwind", b_.i64, {to, b_.number(bytes / 8), walk});
}

}  // namespace dscope
