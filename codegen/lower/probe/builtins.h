// Numeric built-in variables.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class ProbeNames;
class Stacks;
class Strings;
class SyscallContext;
class TaskContext;

class Builtins : Lowerer {
 public:
  Builtins(Lowering& core, SyscallContext& syscalls, TaskContext& task, Stacks& stacks, ProbeNames& probe_names,
           Strings& strings)
      : Lowerer(core),
        syscalls_(syscalls),
        task_(task),
        stacks_(stacks),
        probe_names_(probe_names),
        strings_(strings) {}

  V builtin(BuiltinVariable variable, const Expr& at);
  V user_register(uint32_t index, const Expr& at);

 private:
  SyscallContext& syscalls_;
  TaskContext& task_;
  Stacks& stacks_;
  ProbeNames& probe_names_;
  Strings& strings_;
};

}  // namespace dscope
