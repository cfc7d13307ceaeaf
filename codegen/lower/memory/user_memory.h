// Reads of user memory, also of pages that are not in the page table yet. Programs of uprobes run where the process may
// wait, and have the kernel fetch the page. Other programs must not wait, but the contents of the page may be in the
// kernel's memory already, as may the memory of processes that do not run.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class TaskContext;

class UserMemory : Lowerer {
 public:
  UserMemory(Lowering& core, TaskContext& task) : Lowerer(core), task_(task) {}

  std::pair<V, V> kernel_addresses(V memory, V address);
  // As the helpers: less than 0 if it cannot be read.
  V read(V to, uint32_t room, V count, V address);
  V read_text(V to, uint32_t bytes, V count, V address);
  V read_word(V slot, uint32_t size, V address);

 private:
  bool may_sleep() const;
  V fetch_user(V to, V size, V address);
  bool can_read_kernel_copy() const;
  void define_memory_layout();
  // The result of a read of user memory by a helper, or of another try if the read failed.
  template <typename F>
  V retry_if_failed(V result, F again) {
    return b_.replace_if(b_.ir.CreateICmpSLT(result, b_.number(0)), result, "absent", again);
  }

  TaskContext& task_;
  bool has_layout_ = false;
};

}  // namespace dscope
