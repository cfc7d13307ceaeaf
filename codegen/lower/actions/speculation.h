// speculation(), speculate(), commit() and discard(). A speculative record goes to the ring like any other, with the
// number of its speculation in the header. The consumer holds it until it reads whether the speculation was committed
// or discarded. Ids and their states are in a table shared with the consumer (struct ds_speculation).
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class Counters;
class Expressions;
class Faults;
class Records;
class TaskContext;

class Speculation : Lowerer {
 public:
  Speculation(Lowering& core, Counters& counters, Faults& faults, TaskContext& task, Expressions& expressions,
              Records& records)
      : Lowerer(core),
        counters_(counters),
        faults_(faults),
        task_(task),
        expressions_(expressions),
        records_(records) {}

  bool speculates() const;                 // the clause has a speculate()
  bool reserves_when_speculating() const;  // which every firing reaches
  void begin_clause();
  // The clause has a speculate().
  bool is_possible() { return slots_->speculation != nullptr; }
  // ds_record_header::speculation, as far as the clause has run.
  V current() { return b_.load(slots_->speculation, 8, false); }
  void drop_unless_it_fits(uint32_t bytes);
  void count_bytes();
  V allocate_id();

  void speculate(const Call& call);

  void end(const Expr& expr, const Call& call, bool is_commit);

 private:
  // Slots on the stack of a clause that has a speculate().
  struct Slots {
    V speculation = nullptr;  // ds_record_header::speculation; 0 until the clause speculates
    V room = nullptr;         // bytes that the speculation can still hold
  };

  void submit_end(V entry, V speculation, bool is_commit);
  V entry_at(V index);
  V header_value(V entry, V id);
  void wake_consumer();

  Counters& counters_;
  Faults& faults_;
  TaskContext& task_;
  Expressions& expressions_;
  Records& records_;
  PerFunction<Slots> slots_{b_};
};

}  // namespace dscope
