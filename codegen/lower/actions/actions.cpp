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

void Actions::emit(const Expr& expr, const Call& call, Action action) {
  if (row(action).effect == ActionEffect::Speculative) return speculation_.emit(expr, call, action);
  const auto& indices = layout_.action_of_node[state_.clause_plan->number];
  auto index = indices.find(expr.id.index);
  DS_CHECK(index != indices.end() && state_.record != nullptr);
  const ActionPlan& plan = state_.clause_plan->actions[index->second];
  if (speculation_.is_possible()) speculation_.drop_unless_it_fits(plan.end);
  auto argument = [&](size_t i) -> const Expr& { return *call.arguments[i]; };
  switch (action) {
    case Action::Exit: emit_exit(argument(0), plan); break;
    case Action::Trace: fields_.write(plan.fields[0], state_.record, argument(0)); break;
    case Action::Tracemem: memory_actions_.trace_memory(call, plan); break;
    case Action::Print: memory_actions_.print_value(call, plan); break;
    case Action::Pcap: memory_actions_.record_packet(expr, call, plan); break;
    case Action::Setopt:
      for (size_t i = 0; i < plan.fields.size(); ++i) fields_.write(plan.fields[i], state_.record, argument(i));
      break;
    case Action::Printf:
    case Action::System:
    case Action::Freopen:
      for (size_t i = 0; i < plan.fields.size(); ++i) fields_.write(plan.fields[i], state_.record, argument(i + 1));
      break;
    case Action::Raise: send_signal(expressions_.scalar(argument(0))); break;
    case Action::Stop: send_signal(b_.number(SIGSTOP)); break;
    case Action::Chill: chill(argument(0), expr); break;
    case Action::Normalize:
    case Action::Trunc:
      if (!plan.fields.empty()) fields_.write(plan.fields[0], state_.record, argument(1));
      break;
    case Action::Stack:
    case Action::Ustack:
    case Action::Jstack:
    case Action::Sym:
    case Action::Func:
    case Action::Mod:
    case Action::Usym:
    case Action::Ufunc:
    case Action::Umod:
    case Action::Uaddr: fields_.write(plan.fields[0], state_.record, expr); break;
    default: break;  // printa, clear, denormalize: their aggregations are in the plan
  }
  if (plan.ran_offset != 0) b_.store(b_.at(state_.record, plan.ran_offset), b_.number(1), 1);
}

// Tracing stops here and now for all other clauses; the consumer is woken when the record is submitted.
void Actions::emit_exit(const Expr& status, const ActionPlan& plan) {
  V value = expressions_.scalar(status);
  b_.store(b_.at(state_.record, plan.fields[0].offset), value, 4);
  b_.ir.CreateAlignedStore(b_.number32(DS_ACTIVITY_DRAINING), b_.map("ds_state"), llvm::Align(4), true);
  records_.wake_consumer_on_submit();
}

// To the process; a number that is no signal does nothing.
void Actions::send_signal(V number) { b_.call(Helper::SendSignal, {b_.ir.CreateTrunc(number, b_.i32)}); }

// Waits busily, within the time that a CPU may spend so.
void Actions::chill(const Expr& time, const Expr& at) {
  V nanoseconds = expressions_.scalar(time);
  V counters = counters_.own();
  faults_.fault_if(b_.is_zero(b_.to_number(counters)), DS_FAULT_ILLOP, b_.number(0), at);  // for the verifier
  V is_too_long = b_.call_support("ds_wait", b_.i64, {b_.at(counters, offsetof(ds_counters, chill)), nanoseconds});
  faults_.fault_if(b_.is_nonzero(is_too_long), DS_FAULT_ILLOP, b_.number(0), at);
}

}  // namespace dscope
