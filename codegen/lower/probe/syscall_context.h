// The system call at which a program runs: its number, arguments and result, for 64-bit and 32-bit processes. A probe
// may fire for only part of the calls, selected by their arguments, and may have the arguments in another order
// (HookSyscall).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Functions;
class TaskContext;

class SyscallContext : Lowerer {
 public:
  SyscallContext(Lowering& core, Functions& functions, TaskContext& task)
      : Lowerer(core), functions_(functions), task_(task) {}

  V saved_registers();
  V register_at(uint32_t byte_offset);
  V user_register(uint32_t byte_offset);
  V number();
  V argument(uint32_t position);
  V call_argument(uint32_t index);
  V error_number();
  V returned_value();

 private:
  V returned();
  V is_error(V result);
  V saved_number();
  V is_compat_call();  // i1: the call uses the numbers and registers of 32-bit programs
  V number_for_64_bits(V number);
  V compat_register(std::string_view name);
  V compat_argument_or(V value, uint32_t index);
  V compat_value(std::string_view name);

  Functions& functions_;
  TaskContext& task_;
};

}  // namespace dscope
