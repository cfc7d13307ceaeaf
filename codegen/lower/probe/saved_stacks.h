// Saves the stacks of waiting threads, for probes about a thread that is about to run: sched:::on-cpu and
// io:::wait-done. The kernel walks the user stack of the running thread only, and omits scheduler and lock functions
// from the kernel stack of another thread. A thread that gives up its CPU will have the same stacks when it gets a CPU
// again. The program therefore saves them in the thread's element of map ds_stacks: per stack one word with the number
// of bytes and then the frames, the kernel stack first, and with DWARF also the copy that the consumer unwinds. Bit 0
// of the word of the user stack is set if the second frame is the caller (confirmed_caller); its high 32 bits are the
// number of a copy (StackCopying). A thread that gave up its CPU before tracing began has an empty user stack, and the
// kernel stack that Linux reports.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class StackCopying;
class SyscallContext;
class TableUnwinding;
class TaskContext;

class SavedStacks : Lowerer {
 public:
  SavedStacks(Lowering& core, SyscallContext& syscalls, TaskContext& task, TableUnwinding& tables,
              StackCopying& copying)
      : Lowerer(core), syscalls_(syscalls), task_(task), tables_(tables), copying_(copying) {}

  bool saves_stacks() const;
  bool saves_user_stacks() const;
  bool saves_kernel_stacks() const;
  void save_stacks();
  V saved_user_stack(V to, uint32_t bytes);
  V saved_user_caller();
  V saved_copy_number();
  // Returns `address`, the second frame of the running thread's user stack, or 0 if it is no return address.
  V confirmed_caller(V address);
  V saved_kernel_stack(V to, uint32_t bytes);
  V saved_kernel_size();
  void copy_saved_stack(V to);

 private:
  void save_stack(V words, uint32_t bytes, uint64_t flags);
  void save_kernel_stack(V words);
  void save_user_stack(V words);
  void save_unwound_stack(V words, V walk);
  uint32_t copy_bytes() const;
  V storage(V task, uint64_t flags);
  void with_saved_stack(const std::function<void(V)>& emit);
  void with_saved_user_stack(const std::function<void(V)>& emit);
  void copy_saved_frames(V words, V to, uint32_t bytes, V size);

  SyscallContext& syscalls_;
  TaskContext& task_;
  TableUnwinding& tables_;
  StackCopying& copying_;
};

}  // namespace dscope
