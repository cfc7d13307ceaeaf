// Actions that record values or act at once: printf(), exit(), raise() ...
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Counters;
class Expressions;
class Faults;
class Fields;
class MemoryActions;
class Records;
class Speculation;

class Actions : Lowerer {
 public:
  Actions(Lowering& core, Counters& counters, Faults& faults, Expressions& expressions, Fields& fields,
          Records& records, MemoryActions& memory_actions, Speculation& speculation)
      : Lowerer(core),
        counters_(counters),
        faults_(faults),
        expressions_(expressions),
        fields_(fields),
        records_(records),
        memory_actions_(memory_actions),
        speculation_(speculation) {}

  void emit(const Expr& expr, const Call& call, Action action);

 private:
  void emit_exit(const Expr& status, const ActionPlan& plan);
  void send_signal(V number);
  void chill(const Expr& time, const Expr& at);

  Counters& counters_;
  Faults& faults_;
  Expressions& expressions_;
  Fields& fields_;
  Records& records_;
  MemoryActions& memory_actions_;
  Speculation& speculation_;
};

}  // namespace dscope
