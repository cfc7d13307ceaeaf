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
  // Whether a copy of the stack would show more frames than this walk has found. `walk`: as after unwind().
  V is_incomplete(V walk);

  // Returns `code`, the word at `place` on the stack of the running thread, or, if a uretprobe has replaced it, the
  // return address that was there.
  V original_return(V code, V place);

 private:
  void set_offset(V at, std::string_view member);
  void set_return_offsets(V offsets);
  bool has_replaced_returns() const;

  SyscallContext& syscalls_;
  TaskContext& task_;
  MemoryAccess& memory_;
};

}  // namespace dscope
