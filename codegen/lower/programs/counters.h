// Counters of drops and faults (struct ds_counters), one set per CPU.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Functions;

class Counters : Lowerer {
 public:
  Counters(Lowering& core, Functions& functions) : Lowerer(core), functions_(functions) {}

  void count(size_t counter_offset);  // increments the counter at this offset of ds_counters
  V of_this_cpu();                    // pointer to the ds_counters of this CPU; may be null

 private:
  void emit_count(V counter_offset);
  llvm::Function* count_function();

  Functions& functions_;
};

}  // namespace dscope
