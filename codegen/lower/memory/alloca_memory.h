// The memory behind pointers that D programs compute: alloca() and copyin() areas, and D variables (&a[0]).
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class Faults;
class ScratchSlot;
class ThreadLocals;

class AllocaMemory : Lowerer {
 public:
  AllocaMemory(Lowering& core, ScratchSlot& scratch, Faults& faults, ThreadLocals& thread_locals)
      : Lowerer(core), scratch_(scratch), faults_(faults), thread_locals_(thread_locals) {}

  // A new block at the end of the clause's area.
  struct Allocation {
    V pointer = nullptr;  // the scratch pointer, a number
    V address = nullptr;
    V end = nullptr;  // bytes in use including this block
  };

  void begin_function();
  void begin_clause();
  // The stack slot with the number of bytes in use of the area; null if the program never allocates.
  V used_slot() { return *used_slot_; }
  void set_used(V bytes) { b_.ir.CreateStore(bytes, *used_slot_); }
  uint64_t limit() const;
  V address(V pointer, V size, const Expr& at);
  V readable_address(V pointer, V size, const Expr& at);
  V variable_memory(V pointer, uint64_t size, const Expr& at);
  Allocation reserve(V size, V claimed, const Expr& at);
  V checked_size(V size, const Expr& at);

 private:
  uint64_t base() const;
  void check_bounds(V condition, V offset, V pointer, V size, const Expr& at);

  ScratchSlot& scratch_;
  Faults& faults_;
  ThreadLocals& thread_locals_;
  PerFunction<llvm::AllocaInst*> used_slot_{b_};
};

}  // namespace dscope
