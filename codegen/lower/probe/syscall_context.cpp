#include "codegen/lower/probe/syscall_context.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <set>

#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/functions.h"

namespace dscope {

namespace {

constexpr int64_t max_errno = 4095;

}  // namespace

// The user registers that the kernel saved when the current task entered it (struct pt_regs).
V SyscallContext::saved_registers() {
  return core_.once_per_firing(CachedValue::SavedRegisters,
                               [&] { return b_.call_pure_for_pointer(Helper::TaskPtRegs, {task_.current_task()}); });
}

// A register of the system call.
V SyscallContext::register_at(uint32_t byte_offset) {
  return b_.load_kernel(b_.at(saved_registers(), byte_offset), 8, false);
}

// A user register of the current task: at a probe of its own code, or as the kernel saved it.
V SyscallContext::user_register(uint32_t byte_offset) {
  if (frame_.kind == BpfContext::Probe) return core_.load_context(byte_offset, 8, false);
  return register_at(byte_offset);
}

// The number of the call that the task makes.
V SyscallContext::saved_number() {
  uint32_t size = architecture_.system_call_number_size;
  return b_.load_kernel(b_.at(saved_registers(), architecture_.system_call_number), size, size < 8);
}

V SyscallContext::number() {
  V number = frame_.program->is_return ? saved_number() : core_.load_context(8, 8, false);
  number = number_for_64_bits(number);
  state_.cache.clear();
  return number;
}

// The probe's argument at `position`. The calls that share the probe may have it at different positions.
V SyscallContext::argument(uint32_t position) {
  const ProgramLayout& layout = *frame_.program;
  std::set<uint32_t> used;
  for (size_t i = 0; i < layout.calls.size(); ++i) {
    if (std::ranges::count(frame_.rows, layout.rows[i]) == 0) continue;
    const std::vector<uint8_t>& order = layout.calls[i].order;
    used.insert(order.empty() ? position : order[position]);
  }
  V source = nullptr;
  if (used.size() > 1) {
    auto program = static_cast<uint32_t>(&layout - layout_.programs.data());
    V table = core_.machine_table({MachineTable::ArgumentOrder, program, position}, "order");
    V row = b_.pin(b_.ir.CreateZExt(frame_.row, b_.i64));
    row = b_.pin(
        b_.ir.CreateSelect(b_.ir.CreateICmpULT(row, b_.ir.CreateZExt(core_.row_count(), b_.i64)), row, b_.number(0)));
    source = b_.load(b_.at(table, b_.ir.CreateShl(row, b_.number(1))), 2, false);
  }
  V value = b_.number(0);
  for (uint32_t each : used) {
    if (each == HookSyscall::no_argument) continue;
    V argument = call_argument(each);
    value =
        source == nullptr ? argument : b_.ir.CreateSelect(b_.ir.CreateICmpEQ(source, b_.number(each)), argument, value);
  }
  return value;
}

V SyscallContext::call_argument(uint32_t index) {
  auto emit = [&](llvm::Function*) -> V {
    return compat_argument_or(register_at(architecture_.system_call_arguments[index]), index);
  };
  if (!core_.has_many_clauses()) return emit(nullptr);
  auto* type = llvm::FunctionType::get(b_.i64, false);
  return b_.ir.CreateCall(functions_.shared_function(fmt::format("ds_argument_{}", index), type, emit));
}

V SyscallContext::returned() { return b_.opaque(core_.load_context(8, 8, true)); }

V SyscallContext::is_error(V result) {
  V error = b_.ir.CreateNeg(result);
  return b_.ir.CreateICmpULE(b_.ir.CreateSub(error, b_.number(1)), b_.number(max_errno - 1));
}

// The error number of a call; 0 if it succeeded. If a signal interrupted the call, Linux returns an internal number
// that selects how it restarts the call.
V SyscallContext::error_number() {
  V result = returned();
  V number = b_.ir.CreateSelect(is_error(result), b_.ir.CreateNeg(result), b_.number(0));
  if (!dialect().has_errno_of_interrupted_calls()) return number;
  constexpr uint64_t restarts[] = {512, 513, 514, 516};  // ERESTARTSYS and others of include/linux/errno.h
  V is_restart = b_.ir.getFalse();
  for (uint64_t each : restarts) is_restart = b_.ir.CreateOr(is_restart, b_.ir.CreateICmpEQ(number, b_.number(each)));
  return b_.ir.CreateSelect(is_restart, b_.number(EINTR), number);
}

// arg0 and arg1 of a return probe.
V SyscallContext::returned_value() {
  V result = returned();
  if (!dialect().returns_minus_one_on_failure()) return result;
  return b_.ir.CreateSelect(is_error(result), b_.number(static_cast<uint64_t>(-1)), result);
}

}  // namespace dscope
