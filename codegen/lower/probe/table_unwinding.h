// Unwinding of user stacks by tables in BPF maps, by ds_unwind() of the support library
// (contract/stacks/unwind_format.h).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class MemoryAccess;
class SyscallContext;
class TaskContext;

class TableUnwinding : Lowerer {
 public:
  TableUnwinding(Lowering& core, SyscallContext& syscalls, TaskContext& task, MemoryAccess& memory)
      : Lowerer(core), syscalls_(syscalls), task_(task), memory_(memory) {}

  // Whether the plan has the tables.
  bool is_used() const;
  // Unwinds the stack of the running thread into `bytes` zeroed bytes at `to`. Returns the size in bytes; 0: the
  // process has no tables. `walk`: memory for a struct ds_unwind_walk.
  V unwind(V to, uint32_t bytes, V walk);

 private:
  void set_offset(V walk, size_t at, std::string_view member);

  SyscallContext& syscalls_;
  TaskContext& task_;
  MemoryAccess& memory_;
};

}  // namespace dscope
