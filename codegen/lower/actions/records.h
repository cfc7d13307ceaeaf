// The record of a clause: reserved in the ring buffer before the body runs, written in place, submitted at the end.
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class Counters;
class Ring;
class Speculation;
class TaskContext;

class Records : Lowerer {
 public:
  Records(Lowering& core, Counters& counters, TaskContext& task, Speculation& speculation, Ring& ring)
      : Lowerer(core), counters_(counters), task_(task), speculation_(speculation), ring_(ring) {}

  void reserve(size_t lost_counter = offsetof(ds_counters, record_drops));
  // Resets the state: a new clause has no record yet.
  void begin_clause();
  // Makes the consumer read this record at once.
  void wake_consumer_on_submit() { *wakes_consumer_ = true; }
  void submit();

 private:
  bool can_fill_buffer() const;
  void write_stamp(V stamp);
  void claim_buffer_space(llvm::BasicBlock* lost);

  Counters& counters_;
  TaskContext& task_;
  Speculation& speculation_;
  Ring& ring_;
  PerFunction<bool> wakes_consumer_{b_};
};

}  // namespace dscope
