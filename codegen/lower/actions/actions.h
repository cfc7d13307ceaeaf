// Actions: one function emit_<Id> per row of catalog/actions.def, except for rows whose `record` column suffices
// (Arguments, Format, Itself). A row without its function does not link.
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

struct ActionCall {
  const Expr& expr;
  const Call& form;
  const ActionPlan* plan = nullptr;  // null for speculative actions, which record nothing

  const Expr& argument(size_t i) const { return *form.arguments[i]; }
};

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
  void dispatch(Action action, const ActionCall& call);
#define DS_ACTION(id, ...) void emit_##id(const ActionCall& call);
#include "catalog/actions.def"
#undef DS_ACTION
  void record_arguments(const ActionCall& call, size_t first);
  void record_second_argument(const ActionCall& call);
  void record_value(const ActionCall& call);
  void send_signal(V number);

  Counters& counters_;
  Faults& faults_;
  Expressions& expressions_;
  Fields& fields_;
  Records& records_;
  MemoryActions& memory_actions_;
  Speculation& speculation_;
};

}  // namespace dscope
