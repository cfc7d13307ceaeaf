// Subroutines that query the kernel's locks: mutex_owned(), rw_read_held() ...
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Faults;
class MemoryAccess;
class Places;
class TaskContext;

class LockCalls : Lowerer {
 public:
  LockCalls(Lowering& core, Faults& faults, TaskContext& task, Places& places, MemoryAccess& memory)
      : Lowerer(core), faults_(faults), task_(task), places_(places), memory_(memory) {}

  V query_lock(const Expr& expr, const Call& call, Subroutine subroutine);

 private:
  V lock_word(const Expr& expr, const Call& call, const char* member, uint32_t size);

  Faults& faults_;
  TaskContext& task_;
  Places& places_;
  MemoryAccess& memory_;
};

}  // namespace dscope
