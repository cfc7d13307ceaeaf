// Finds the plan's row for the system call that fired. All system calls of a script share two programs, one for entry
// and one for return.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class SyscallContext;

class SyscallRows : Lowerer {
 public:
  SyscallRows(Lowering& core, SyscallContext& syscalls) : Lowerer(core), syscalls_(syscalls) {}

  V table_row(const ProgramLayout& layout, V number, V& list);

 private:
  V holds(const SyscallCondition& condition);
  V conditional_key(const ProgramLayout& layout, V number, llvm::BasicBlock* skip);

  SyscallContext& syscalls_;
};

}  // namespace dscope
