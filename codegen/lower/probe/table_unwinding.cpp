#include "codegen/lower/probe/table_unwinding.h"

#include <utility>

#include "arch/unwind_machine.h"
#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "contract/stacks/unwind_format.h"
#include "contract/stacks/unwind_tables.h"

namespace dscope {

bool TableUnwinding::is_used() const {
  return has_unwind_tables(plan_) && memory_.object_member("struct mm_struct.exec_vm");
}

void TableUnwinding::set_offset(V at, std::string_view member) {
  b_.store(at, b_.number(memory_.object_member(member).value_or(0)), 8);
}

// If a kernel lacks one of the members, the first offset is 0.
void TableUnwinding::set_return_offsets(V offsets) {
  constexpr std::pair<size_t, std::string_view> members[] = {
      {offsetof(ds_return_offsets, task_uprobes), "struct task_struct.utask"},
      {offsetof(ds_return_offsets, uprobe_returns), "struct uprobe_task.return_instances"},
      {offsetof(ds_return_offsets, place), "struct return_instance.stack"},
      {offsetof(ds_return_offsets, address), "struct return_instance.orig_ret_vaddr"},
      {offsetof(ds_return_offsets, next), "struct return_instance.next"},
  };
  for (auto [at, member] : members) set_offset(b_.at(offsets, at), member);
  if (!has_replaced_returns()) b_.store(offsets, b_.number(0), 8);
}

bool TableUnwinding::has_replaced_returns() const {
  return memory_.object_member("struct task_struct.utask") &&
         memory_.object_member("struct uprobe_task.return_instances") &&
         memory_.object_member("struct return_instance.stack") &&
         memory_.object_member("struct return_instance.orig_ret_vaddr") &&
         memory_.object_member("struct return_instance.next");
}

// A trampoline is at the start of a page, as hardly any return address is.
V TableUnwinding::original_return(V code, V place) {
  if (!has_replaced_returns()) return code;
  constexpr uint64_t page_mask = 4095;
  V is_at_page = b_.is_zero(b_.ir.CreateAnd(code, b_.number(page_mask)));
  return b_.replace_if(is_at_page, code, "trampoline", [&] {
    V offsets = b_.shared_slot(sizeof(ds_return_offsets), "return_offsets");
    set_return_offsets(offsets);
    return b_.call_support("ds_original_return", b_.i64, {code, place, offsets});
  });
}

V TableUnwinding::unwind(V to, uint32_t bytes, V walk) {
  V offsets = b_.at(walk, offsetof(ds_unwind_walk, offsets));
  set_offset(b_.at(offsets, offsetof(ds_unwind_offsets, task_memory)), "struct task_struct.mm");
  set_offset(b_.at(offsets, offsetof(ds_unwind_offsets, task_parent)), "struct task_struct.real_parent");
  set_offset(b_.at(offsets, offsetof(ds_unwind_offsets, task_process)), "struct task_struct.tgid");
  set_offset(b_.at(offsets, offsetof(ds_unwind_offsets, memory_stack_start)), "struct mm_struct.start_stack");
  set_offset(b_.at(offsets, offsetof(ds_unwind_offsets, memory_code_pages)), "struct mm_struct.exec_vm");
  set_return_offsets(b_.at(offsets, offsetof(ds_unwind_offsets, returns)));
  const UnwindRegisters& unwinding = architecture_.unwinding;
  auto set = [&](size_t at, V value) { b_.store(b_.at(walk, at), value, 8); };
  set(offsetof(ds_unwind_walk, code), syscalls_.user_register(architecture_.instruction_pointer));
  set(offsetof(ds_unwind_walk, stack), syscalls_.user_register(architecture_.stack_pointer));
  set(offsetof(ds_unwind_walk, frame), syscalls_.user_register(unwinding.offsets[unwinding.frame_pointer]));
  V link = architecture_.return_address ? syscalls_.user_register(*architecture_.return_address) : b_.number(0);
  set(offsetof(ds_unwind_walk, link), link);
  ds_unwind_machine machine = unwind_machine(architecture_);
  V rules = b_.at(walk, offsetof(ds_unwind_walk, machine));
  b_.store(b_.at(rules, offsetof(ds_unwind_machine, code_mask)), b_.number(machine.code_mask), 8);
  b_.store(b_.at(rules, offsetof(ds_unwind_machine, default_rule)), b_.number(machine.default_rule), 8);
  b_.store(b_.at(rules, offsetof(ds_unwind_machine, entry_bytes)), b_.number(machine.entry_bytes), 8);
  set(offsetof(ds_unwind_walk, process), b_.ir.CreateLShr(task_.own_pid_tgid(), b_.number(32)));
  return b_.call_support("ds_unwind", b_.i64, {to, b_.number(bytes / 8), walk});
}

V TableUnwinding::is_incomplete(V walk) {
  return b_.is_nonzero(b_.load(b_.at(walk, offsetof(ds_unwind_walk, is_incomplete)), 8, false));
}

}  // namespace dscope
