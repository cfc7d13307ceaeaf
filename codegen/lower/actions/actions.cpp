#include "codegen/lower/actions/actions.h"

#include <csignal>

#include "codegen/lower/actions/fields.h"
#include "codegen/lower/actions/memory_actions.h"
#include "codegen/lower/actions/records.h"
#include "codegen/lower/actions/speculation.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/values/expressions.h"
#include "support/check.h"

namespace dscope {

void Actions::emit(const Expr& expr, const Call& form, Action action) {
  if (row(action).effect == ActionEffect::Speculative) return dispatch(action, {expr, form, nullptr});
  const auto& indices = layout_.action_of_node[state_.clause_plan->number];
  auto index = indices.find(expr.id.index);
  DS_CHECK(index != indices.end() && state_.record != nullptr);
  const ActionPlan& plan = state_.clause_plan->actions[index->second];
  if (speculation_.is_possible()) speculation_.drop_unless_it_fits(plan.counted_end);
  dispatch(action, {expr, form, &plan});
  if (plan.ran_offset != 0) b_.store(b_.at(state_.record, plan.ran_offset), b_.number(1), 1);
}

// For most actions, the `record` column states how to store their fields. The others have a function of their own. The
// checker rejects rows of later releases, which have no function yet.
// NOLINTNEXTLINE(readability-function-size): one row of the catalog after the other
void Actions::dispatch(Action action, const ActionCall& call) {
  switch (action) {
#define DS_ACTION(id, name, prototype, effect, record, value, context, machine, since, release)        \
  case Action::id:                                                                                     \
    if constexpr (ActionRecord::record == ActionRecord::Arguments) return record_arguments(call, 0);   \
    else if constexpr (ActionRecord::record == ActionRecord::Format) return record_arguments(call, 1); \
    else if constexpr (ActionRecord::record == ActionRecord::Itself) return record_value(call);        \
    else if constexpr (Release::release == Release::Now) return emit_##id(call);                       \
    break;
#include "catalog/actions.def"
#undef DS_ACTION
  }
  DS_UNREACHABLE();
}

// ---------------------------------------------------------------- actions that record their arguments

void Actions::record_arguments(const ActionCall& call, size_t first) {
  for (size_t i = 0; i < call.plan->fields.size(); ++i)
    fields_.write(call.plan->fields[i], state_.record, call.argument(i + first));
}

// For stacks and symbols, Fields::write() evaluates the whole call.
void Actions::record_value(const ActionCall& call) { fields_.write(call.plan->fields[0], state_.record, call.expr); }

void Actions::emit_Trace(const ActionCall& call) {
  fields_.write(call.plan->fields[0], state_.record, call.argument(0));
}

void Actions::emit_Ftruncate(const ActionCall&) {}
void Actions::emit_Snapshot(const ActionCall&) {}

// The first argument is an aggregation, which is in the plan.
void Actions::emit_Normalize(const ActionCall& call) { record_second_argument(call); }
void Actions::emit_Trunc(const ActionCall& call) { record_second_argument(call); }
void Actions::emit_Printa(const ActionCall&) {}
void Actions::emit_Clear(const ActionCall&) {}
void Actions::emit_Denormalize(const ActionCall&) {}

void Actions::record_second_argument(const ActionCall& call) {
  if (!call.plan->fields.empty()) fields_.write(call.plan->fields[0], state_.record, call.argument(1));
}

void Actions::emit_Tracemem(const ActionCall& call) { memory_actions_.trace_memory(call.form, *call.plan); }
void Actions::emit_Print(const ActionCall& call) { memory_actions_.print_value(call.form, *call.plan); }
void Actions::emit_Pcap(const ActionCall& call) { memory_actions_.record_packet(call.expr, call.form, *call.plan); }

// ---------------------------------------------------------------- speculations

void Actions::emit_Speculate(const ActionCall& call) { speculation_.speculate(call.form); }
void Actions::emit_Commit(const ActionCall& call) { speculation_.end(call.expr, call.form, true); }
void Actions::emit_Discard(const ActionCall& call) { speculation_.end(call.expr, call.form, false); }

// ---------------------------------------------------------------- actions that take effect at once

// Stops all other clauses at once. Submitting the record wakes the consumer.
void Actions::emit_Exit(const ActionCall& call) {
  V value = expressions_.scalar(call.argument(0));
  b_.store(b_.at(state_.record, call.plan->fields[0].offset), value, 4);
  b_.ir.CreateAlignedStore(b_.number32(DS_ACTIVITY_DRAINING), b_.map("ds_state"), llvm::Align(4), true);
  records_.wake_consumer_on_submit();
}

void Actions::emit_Raise(const ActionCall& call) { send_signal(expressions_.scalar(call.argument(0))); }
void Actions::emit_Stop(const ActionCall&) { send_signal(b_.number(SIGSTOP)); }

// Signals the process. An invalid signal number has no effect.
void Actions::send_signal(V number) { b_.call(Helper::SendSignal, {b_.ir.CreateTrunc(number, b_.i32)}); }

// Busy-waits, within the CPU's budget of waiting time.
void Actions::emit_Chill(const ActionCall& call) {
  V nanoseconds = expressions_.int_argument(call.argument(0));
  V counters = counters_.of_this_cpu();
  // The verifier requires this test for null.
  faults_.fault_if(b_.is_zero(b_.to_number(counters)), DS_FAULT_ILLOP, b_.number(0), call.expr);
  V is_too_long = b_.call_support("ds_wait", b_.i64, {b_.at(counters, offsetof(ds_counters, chill)), nanoseconds});
  faults_.fault_if(b_.is_nonzero(is_too_long), DS_FAULT_ILLOP, b_.number(0), call.expr);
}

}  // namespace dscope
