// Subroutines whose result is a number.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class CopyCalls;
class Expressions;
class Faults;
class LockCalls;
class MemoryAccess;
class Places;
class ProcessCalls;
class Speculation;
class Strings;
class SyscallContext;
class TaskContext;
class TextCalls;

class Subroutines : Lowerer {
 public:
  Subroutines(Lowering& core, Faults& faults, SyscallContext& syscalls, TaskContext& task, Expressions& expressions,
              Strings& strings, LockCalls& lock_calls, CopyCalls& copy_calls, TextCalls& text_calls,
              ProcessCalls& process_calls, Places& places, MemoryAccess& memory, Speculation& speculation)
      : Lowerer(core),
        faults_(faults),
        syscalls_(syscalls),
        task_(task),
        expressions_(expressions),
        strings_(strings),
        lock_calls_(lock_calls),
        copy_calls_(copy_calls),
        text_calls_(text_calls),
        process_calls_(process_calls),
        places_(places),
        memory_(memory),
        speculation_(speculation) {}

  V call(const Expr& expr, const Call& call, Subroutine subroutine);

 private:
  V progenyof(const Expr& expr, const Call& call);

  Faults& faults_;
  SyscallContext& syscalls_;
  TaskContext& task_;
  Expressions& expressions_;
  Strings& strings_;
  LockCalls& lock_calls_;
  CopyCalls& copy_calls_;
  TextCalls& text_calls_;
  ProcessCalls& process_calls_;
  Places& places_;
  MemoryAccess& memory_;
  Speculation& speculation_;
  V route_table_ = nullptr;
  V cpu_table_ = nullptr;
};

}  // namespace dscope
