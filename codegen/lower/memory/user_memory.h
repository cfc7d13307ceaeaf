// Reads user memory, including pages that are not in the page table yet. Uprobe programs may sleep, and let the kernel
// fetch the page. Other programs must not sleep, but the page may already be in kernel memory (the page cache), and so
// is the memory of processes that do not run.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class TaskContext;

class UserMemory : Lowerer {
 public:
  UserMemory(Lowering& core, TaskContext& task) : Lowerer(core), task_(task) {}

  std::pair<V, V> kernel_addresses(V memory, V address);
  // Like the helpers, these return a negative number if the memory cannot be read.
  V read(V to, uint32_t room, V count, V address);
  V read_text(V to, uint32_t bytes, V count, V address);
  V read_word(V slot, uint32_t size, V address);

 private:
  bool may_sleep() const;
  V fetch_user(V to, V size, V address);
  bool can_read_kernel_copy() const;
  void define_memory_layout();
  // Returns `result`, or the result of `again` if the first read failed.
  template <typename F>
  V retry_if_failed(V result, F again) {
    return b_.replace_if(b_.ir.CreateICmpSLT(result, b_.number(0)), result, "absent", again);
  }

  TaskContext& task_;
};

}  // namespace dscope
