// The memory of thread-local variables: one element of task storage per thread.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Counters;
class DynamicVariables;
class Faults;
class Functions;
class TaskContext;

class ThreadLocals : Lowerer {
 public:
  ThreadLocals(Lowering& core, Counters& counters, Functions& functions, Faults& faults, TaskContext& task,
               DynamicVariables& dynamic_variables)
      : Lowerer(core),
        counters_(counters),
        functions_(functions),
        faults_(faults),
        task_(task),
        dynamic_variables_(dynamic_variables) {}

  // The storage is known to exist, and storage() needs no test for null.
  bool is_storage_known() const { return state_.cache.find(CachedValue::TaskStorage) != nullptr; }
  V storage(bool create);  // pointer; may be null unless `create`

 private:
  V cache_storage(V found);
  V find(uint64_t flags);
  V emplace();

  Counters& counters_;
  Functions& functions_;
  Faults& faults_;
  TaskContext& task_;
  DynamicVariables& dynamic_variables_;
};

}  // namespace dscope
