// speculation(), speculate(), commit() and discard(). A speculative record goes to the ring buffer like any other, with
// the number of its speculation in the header. The consumer holds it until the speculation is committed or discarded. A
// table shared with the consumer holds the IDs and their states (struct ds_speculation).
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class Counters;
class Expressions;
class Faults;
class Records;
class Ring;
class TaskContext;

class Speculation : Lowerer {
 public:
  Speculation(Lowering& core, Counters& counters, Faults& faults, TaskContext& task, Expressions& expressions,
              Records& records, Ring& ring)
      : Lowerer(core),
        counters_(counters),
        faults_(faults),
        task_(task),
        expressions_(expressions),
        records_(records),
        ring_(ring) {}

  bool speculates() const;                 // the clause contains a speculate()
  bool reserves_when_speculating() const;  // every firing that passes the predicate reaches it
  void begin_clause();
  // Like speculates(), but cached by begin_clause().
  bool is_possible() { return slots_->speculation != nullptr; }
  // The current value of ds_record_header::speculation.
  V current() { return b_.load(slots_->speculation, 8, false); }
  void drop_unless_it_fits(uint32_t bytes);
  void count_bytes();
  V allocate_id();

  void speculate(const Call& call);

  void end(const Expr& expr, const Call& call, bool is_commit);

 private:
  // Stack slots of a clause that contains a speculate().
  struct Slots {
    V speculation = nullptr;  // ds_record_header::speculation; 0 until the clause speculates
    V room = nullptr;         // bytes left in the speculation's buffer
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
  Ring& ring_;
  PerFunction<Slots> slots_{b_};
};

}  // namespace dscope
