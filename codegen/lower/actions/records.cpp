#include "codegen/lower/actions/records.h"

#include "codegen/lower/actions/ring.h"
#include "codegen/lower/actions/speculation.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/counters.h"
#include "contract/buffers/buffer_policy.h"
#include "contract/row_stamp.h"

namespace dscope {

// With bufpolicy=fill, each CPU has a fixed amount of buffer space. END always records, because the driver has checked
// that its records fit. Once a record does not fit, no later record is stored either.
bool Records::can_fill_buffer() const {
  bool is_end = frame_.program != nullptr && frame_.program->expected_activity == DS_ACTIVITY_DRAINING;
  return buffer_policy(plan_.options) == BufferPolicy::Fill && !is_end && !speculation_.speculates();
}

void Records::claim_buffer_space(llvm::BasicBlock* lost) {
  auto* key = b_.shared_slot(4, "counter_key");
  b_.ir.CreateStore(b_.number32(0), key);
  V counters = b_.lookup("ds_counters", key);
  b_.branch_if(b_.is_zero(b_.to_number(counters)), lost);
  uint64_t size = buffered_size(state_.clause_plan->record_size);
  V used = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(counters, offsetof(ds_counters, buffered_bytes)),
                                 b_.number(size), llvm::MaybeAlign(8), llvm::AtomicOrdering::SequentiallyConsistent);
  uint64_t room = buffer_size(plan_.options);
  b_.branch_if(b_.ir.CreateICmpUGT(used, b_.number(room - std::min(room, size))), lost);
}

// If there is no room, the clause does not run and the drop is counted. A clause with exit() still ends the trace.
void Records::reserve(size_t lost_counter) {
  auto* lost = b_.block("lost");
  bool ends_when_full = can_fill_buffer();
  if (ends_when_full) claim_buffer_space(lost);
  if (core_.record_paths_never_merge()) b_.add_checkpoint();
  V cpu = ring_.is_table() ? task_.cpu_number() : nullptr;
  V space = ring_.reserve(state_.clause_plan->record_size, lost, cpu);
  space->setName("record");
  auto* reserved = b_.block("reserved");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(space)), lost, reserved);
  b_.start(lost);
  counters_.count(lost_counter);
  if (state_.clause_plan->can_exit() || ends_when_full)
    b_.store(b_.map("ds_state"), b_.number(DS_ACTIVITY_DRAINING), 4);
  b_.ir.CreateBr(state_.next_clause);
  b_.start(reserved);
  V record = ring_.start_record(space);
  state_.record = record;
  b_.store(b_.at(record, offsetof(ds_record_header, clause)), b_.number(state_.clause_plan->number), 4);
  b_.store(b_.at(record, offsetof(ds_record_header, probe_row)), b_.ir.CreateZExt(frame_.row, b_.i64), 4);
  b_.store(b_.at(record, offsetof(ds_record_header, cpu)), task_.cpu_number(), 4);
  V speculation = speculation_.is_possible() ? speculation_.current() : b_.number(0);
  b_.store(b_.at(record, offsetof(ds_record_header, speculation)), speculation, 4);
  if (has_stamp(plan_.options, *state_.clause_plan)) write_stamp(b_.at(record, sizeof(ds_record_header)));
  for (const ActionPlan& action : state_.clause_plan->actions)
    if (action.ran_offset != 0) b_.store(b_.at(record, action.ran_offset), b_.number(0), 1);
  for (const UpdatePlan& update : state_.clause_plan->updates)
    if (update.ran_offset != 0) b_.store(b_.at(record, update.ran_offset), b_.number(0), 1);
}

void Records::write_stamp(V stamp) {
  b_.store(b_.at(stamp, offsetof(ds_row_stamp, time)), b_.call(Helper::KtimeGetNs, {}), 8);
  b_.store(b_.at(stamp, offsetof(ds_row_stamp, pid_tgid)), task_.own_pid_tgid(), 8);
  b_.call(Helper::GetCurrentComm,
          {b_.at(stamp, offsetof(ds_row_stamp, comm)), b_.number32(sizeof(ds_row_stamp::comm))});
}

void Records::begin_clause() {
  state_.record = nullptr;
  *wakes_consumer_ = false;
}

void Records::submit() {
  if (speculation_.is_possible()) speculation_.count_bytes();
  ring_.submit(state_.record, *wakes_consumer_ ? helper_flags::force_wakeup : helper_flags::no_wakeup);
  state_.record = nullptr;
}

}  // namespace dscope
