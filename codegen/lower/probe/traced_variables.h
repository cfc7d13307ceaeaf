// Variables of the traced program ($x), read from the places that debug information states for the hook of the current
// program.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Faults;
class MemoryAccess;
class ScratchSlot;
class TaskContext;

class TracedVariables : Lowerer {
 public:
  TracedVariables(Lowering& core, ScratchSlot& scratch, Faults& faults, TaskContext& task, MemoryAccess& memory)
      : Lowerer(core), scratch_(scratch), faults_(faults), task_(task), memory_(memory) {}

  // The value of a scalar.
  V read(TracedName name, const Expr& at);
  // The number of the goroutine that fires the probe; 0 where none does.
  V goroutine(const Expr& at);
  // The object: in the memory of the process, or a copy of its parts.
  Place place_of(TracedName name, const Expr& at);

 private:
  const PlacedVariable* find(TracedName name) const;
  const VariablePlace& readable_place(TracedName name, const Expr& at);
  V evaluate(const std::vector<LocationStep>& steps, const Expr& at);
  void apply(const LocationStep& step, std::vector<V>& stack, const Expr& at);
  V divide(V left, V right);
  V combine(LocationOperation operation, V left, V right);
  V copy_parts(const VariablePlace& place, uint32_t size, const Expr& at);

  ScratchSlot& scratch_;
  Faults& faults_;
  TaskContext& task_;
  MemoryAccess& memory_;
};

}  // namespace dscope
