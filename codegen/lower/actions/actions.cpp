// Actions: the record of a clause, reserved in the ring before the body runs and written in place.
#include <csignal>

#include "codegen/lower/emitter.h"
#include "contract/buffer_policy.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint64_t no_wakeup = 1, force_wakeup = 2;  // BPF_RB_

}  // namespace

// With bufpolicy=fill each CPU has so much room and no more, except that END always records: the driver has checked
// that it could. Once a record did not fit, none does.
bool Emitter::can_fill_buffer() const {
  bool is_end = frame_.program != nullptr && frame_.program->expected_activity == DS_ACTIVITY_DRAINING;
  return buffer_policy(plan_.options) == BufferPolicy::Fill && !is_end && !speculates();
}

void Emitter::claim_buffer_space(llvm::BasicBlock* lost) {
  auto* key = b_.shared_slot(4, "counter_key");
  b_.ir.CreateStore(b_.number32(0), key);
  V counters = b_.lookup("ds_counters", key);
  b_.leave_if(b_.is_zero(b_.to_number(counters)), lost);
  uint64_t size = buffered_size(clause_plan_->record_size);
  V used = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, b_.at(counters, offsetof(ds_counters, buffered_bytes)),
                                 b_.number(size), llvm::MaybeAlign(8), llvm::AtomicOrdering::SequentiallyConsistent);
  uint64_t room = buffer_size(plan_.options);
  b_.leave_if(b_.ir.CreateICmpUGT(used, b_.number(room - std::min(room, size))), lost);
}

// No room: the clause does not run and the loss is counted; but a clause that ends the run still ends it.
void Emitter::reserve_record(size_t lost_counter) {
  auto* lost = b_.block("lost");
  bool ends_when_full = can_fill_buffer();
  if (ends_when_full) claim_buffer_space(lost);
  if (tells_records_apart()) b_.remember_state();
  V record = b_.call_for_pointer(Helper::RingbufReserve,
                                 {b_.map("ds_ring"), b_.number(clause_plan_->record_size), b_.number(0)});
  auto* reserved = b_.block("reserved");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(record)), lost, reserved);
  b_.start(lost);
  count(lost_counter);
  if (clause_plan_->can_exit() || ends_when_full) b_.store(b_.map("ds_state"), b_.number(DS_ACTIVITY_DRAINING), 4);
  b_.ir.CreateBr(next_clause_);
  b_.start(reserved);
  record_ = record;
  b_.store(b_.at(record, offsetof(ds_record_header, clause)), b_.number(clause_plan_->number), 4);
  b_.store(b_.at(record, offsetof(ds_record_header, probe_row)), b_.ir.CreateZExt(frame_.row, b_.i64), 4);
  b_.store(b_.at(record, offsetof(ds_record_header, cpu)), cpu_number(), 4);
  V speculation = state_.speculation != nullptr ? b_.load(state_.speculation, 8, false) : b_.number(0);
  b_.store(b_.at(record, offsetof(ds_record_header, speculation)), speculation, 4);
  for (const ActionPlan& action : clause_plan_->actions)
    if (action.ran_offset != 0) b_.store(b_.at(record, action.ran_offset), b_.number(0), 1);
  for (const UpdatePlan& update : clause_plan_->updates)
    if (update.ran_offset != 0) b_.store(b_.at(record, update.ran_offset), b_.number(0), 1);
}

void Emitter::discard_record() {
  if (record_ != nullptr) b_.call(Helper::RingbufDiscard, {record_, b_.number(no_wakeup)});
}

void Emitter::submit_record() {
  if (state_.speculation != nullptr) account_speculation();
  b_.call(Helper::RingbufSubmit, {record_, b_.number(has_exit_ ? force_wakeup : no_wakeup)});
  record_ = nullptr;
}

void Emitter::emit_action(const Expr& expr, const Call& call, Action action) {
  if (row(action).effect == ActionEffect::Speculative) return emit_speculative(expr, call, action);
  const auto& indices = layout_.action_of_node[clause_plan_->number];
  auto index = indices.find(expr.id.index);
  DS_CHECK(index != indices.end() && record_ != nullptr);
  const ActionPlan& plan = clause_plan_->actions[index->second];
  if (state_.speculation != nullptr) drop_unless_it_fits(plan.end);
  auto argument = [&](size_t i) -> const Expr& { return *call.arguments[i]; };
  switch (action) {
    case Action::Exit: emit_exit(argument(0), plan); break;
    case Action::Trace: write_field(plan.fields[0], record_, argument(0)); break;
    case Action::Tracemem: trace_memory(call, plan); break;
    case Action::Print: print_value(call, plan); break;
    case Action::Pcap: record_packet(expr, call, plan); break;
    case Action::Setopt:
      for (size_t i = 0; i < plan.fields.size(); ++i) write_field(plan.fields[i], record_, argument(i));
      break;
    case Action::Printf:
    case Action::System:
    case Action::Freopen:
      for (size_t i = 0; i < plan.fields.size(); ++i) write_field(plan.fields[i], record_, argument(i + 1));
      break;
    case Action::Raise: send_signal(scalar(argument(0))); break;
    case Action::Stop: send_signal(b_.number(SIGSTOP)); break;
    case Action::Chill: chill(argument(0), expr); break;
    case Action::Normalize:
    case Action::Trunc:
      if (!plan.fields.empty()) write_field(plan.fields[0], record_, argument(1));
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
    case Action::Uaddr: write_field(plan.fields[0], record_, expr); break;
    default: break;  // printa, clear, denormalize: their aggregations are in the plan
  }
  if (plan.ran_offset != 0) b_.store(b_.at(record_, plan.ran_offset), b_.number(1), 1);
}

// Tracing stops here and now for all other clauses; the consumer is woken when the record is submitted.
void Emitter::emit_exit(const Expr& status, const ActionPlan& plan) {
  V value = scalar(status);
  b_.store(b_.at(record_, plan.fields[0].offset), value, 4);
  b_.ir.CreateAlignedStore(b_.number32(DS_ACTIVITY_DRAINING), b_.map("ds_state"), llvm::Align(4), true);
  has_exit_ = true;
}

// To the process; a number that is no signal does nothing.
void Emitter::send_signal(V number) { b_.call(Helper::SendSignal, {b_.ir.CreateTrunc(number, b_.i32)}); }

// Waits busily, within the time that a CPU may spend so.
void Emitter::chill(const Expr& time, const Expr& at) {
  V nanoseconds = scalar(time);
  V counters = own_counters();
  fault_if(b_.is_zero(b_.to_number(counters)), DS_FAULT_ILLOP, b_.number(0), at);  // for the verifier
  V is_too_long = b_.call_support("ds_wait", b_.i64, {b_.at(counters, offsetof(ds_counters, chill)), nanoseconds});
  fault_if(b_.is_nonzero(is_too_long), DS_FAULT_ILLOP, b_.number(0), at);
}

// One value into a record or key at `base`.
void Emitter::write_field(const Field& field, V base, const Expr& value) {
  V to = b_.at(base, field.offset);
  switch (field.kind) {
    case FieldKind::Integer:
      return b_.store(to, info(value).constant ? scalar(value) : number_or_address(value), field.size);
    case FieldKind::String: return string_into(value, to, field.size);
    case FieldKind::Bytes: return copy_object(to, place_of(value), field.size, value);
    case FieldKind::ProbeName: return b_.store(to, b_.ir.CreateZExt(frame_.row, b_.i64), 4);
    case FieldKind::Stack:
    case FieldKind::UserStack: return write_stack(field, base, value);
    case FieldKind::KernelAddr: return b_.store(to, symbol_argument(*action_call(meaning_, *clause_, value)), 8);
    case FieldKind::UserAddr:
      b_.store(to, b_.ir.CreateLShr(shown_pid_tgid(value), b_.number(32)), 8);
      return b_.store(b_.at(to, 8), symbol_argument(*action_call(meaning_, *clause_, value)), 8);
  }
  DS_UNREACHABLE();
}

V Emitter::symbol_argument(const Call& call) {
  const Expr& address = *call.arguments[0];
  return number_or_address(address);
}

}  // namespace dscope
