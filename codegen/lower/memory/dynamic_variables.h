// Inserts and deletes dynamic variables, and counts them if their number is limited (Layout::dynamic_limit).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Counters;
class Faults;

class DynamicVariables : Lowerer {
 public:
  DynamicVariables(Lowering& core, Counters& counters, Faults& faults)
      : Lowerer(core), counters_(counters), faults_(faults) {}

  void drop_if(V condition);
  void update_count(V existed, V exists);
  void insert(const VariableLocation& location, V key, V element);
  V insert_if_new(const VariableLocation& location, V key, V element);
  void store(const VariableLocation& location, V key, V element);
  void remove(const VariableLocation& location, V key);

 private:
  void add_to_count(int64_t by);
  void claim();

  Counters& counters_;
  Faults& faults_;
};

}  // namespace dscope
