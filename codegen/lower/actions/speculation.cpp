#include "codegen/lower/actions/speculation.h"

#include "codegen/lower/actions/records.h"
#include "codegen/lower/actions/ring.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/values/expressions.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

constexpr uint64_t unlimited = 0x7fffffffffffffffULL;

}  // namespace

bool Speculation::speculates() const {
  bool found = false;
  walk_clause(meaning_, *state_.clause, [&](const Expr& expr) {
    const auto* action = std::get_if<Action>(&info(expr).binding);
    found |= action != nullptr && *action == Action::Speculate;
  });
  return found;
}

// Whether the body has speculate() as a statement of its own. The clause records nothing before it, so the record is
// reserved there, and not at all if the clause ends there.
bool Speculation::reserves_when_speculating() const {
  for (const Statement* statement : state_.clause->clause->body) {
    const auto* form = std::get_if<ExprStatement>(&statement->form);
    if (form == nullptr) continue;
    const auto* action = std::get_if<Action>(&info(*form->expr).binding);
    if (action != nullptr && *action == Action::Speculate) return true;
  }
  return false;
}

void Speculation::begin_clause() {
  *slots_ = {};
  if (!speculates()) return;
  slots_->speculation = b_.shared_slot(8, "speculation");
  slots_->room = b_.shared_slot(8, "room");
  b_.store(slots_->speculation, b_.number(0), 8);
  b_.store(slots_->room, b_.number(unlimited), 8);
}

// The table entry at an index (id - 1). The caller has checked the index.
V Speculation::entry_at(V index) {
  V bounded = b_.pin_below(index, speculation_count(plan_.options));
  V offset = b_.ir.CreateMul(bounded, b_.number(sizeof(ds_speculation)));
  return b_.at(b_.map("ds_speculations"), offset);
}

V Speculation::header_value(V entry, V id) {
  V generation = b_.load(b_.at(entry, offsetof(ds_speculation, generation)), 8, false);
  V high = b_.ir.CreateShl(b_.ir.CreateAnd(generation, b_.number(0xffff)), b_.number(16));
  return b_.ir.CreateOr(high, id);
}

// The rest of the clause belongs to the speculation. If the speculation does not exist, the clause ends here.
void Speculation::speculate(const Call& call) {
  V id = expressions_.int_argument(*call.arguments[0]);
  auto* refused = b_.block("refused");
  auto* accepted = b_.block("accepted");
  V index = b_.pin(b_.ir.CreateSub(id, b_.number(1)));
  b_.branch_if(b_.ir.CreateICmpUGE(index, b_.number(speculation_count(plan_.options))), refused);
  V entry = entry_at(index);
  V state = b_.load(entry, 8, false);
  b_.branch_if(b_.ir.CreateICmpNE(state, b_.number(DS_SPECULATION_ACTIVE)), refused);
  b_.store(slots_->speculation, header_value(entry, id), 8);
  V used = b_.load(b_.at(entry, offsetof(ds_speculation, bytes)), 8, false);
  auto limit = static_cast<uint64_t>(std::max<int64_t>(0, plan_.options.number(OptionId::Specsize)));
  b_.store(slots_->room, b_.ir.CreateSub(b_.number(limit), used), 8);
  b_.ir.CreateBr(accepted);
  b_.start(refused);
  faults_.discard_record();
  b_.ir.CreateBr(state_.next_clause);
  b_.start(accepted);
  if (state_.record == nullptr) {
    records_.reserve(offsetof(ds_counters, speculation_drops));
  } else {
    V value = b_.load(slots_->speculation, 8, false);
    b_.store(b_.at(state_.record, offsetof(ds_record_header, speculation)), value, 4);
  }
  if (state_.clause_plan->actions.empty()) drop_unless_it_fits(sizeof(ds_record_header));
}

// Ends the clause at an action that does not fit into the speculation's buffer.
void Speculation::drop_unless_it_fits(uint32_t bytes) {
  V room = b_.load(slots_->room, 8, false);
  auto* full = b_.block("full");
  auto* fits = b_.block("fits");
  b_.ir.CreateCondBr(b_.ir.CreateICmpSLT(room, b_.number(bytes)), full, fits);
  b_.start(full);
  faults_.discard_record();
  counters_.count(offsetof(ds_counters, speculation_drops));
  b_.ir.CreateBr(state_.next_clause);
  b_.start(fits);
}

// Adds the record's bytes to the speculation's before the record is submitted. A clause without recording actions has
// no record if it did not reach its speculate().
void Speculation::count_bytes() {
  uint32_t bytes = sizeof(ds_record_header);
  for (const ActionPlan& action : state_.clause_plan->actions) bytes = std::max(bytes, action.counted_end);
  auto* plain = b_.block("plain");
  auto* next = b_.block("next");
  V value = b_.load(slots_->speculation, 8, false);
  V index = b_.pin(b_.ir.CreateSub(b_.ir.CreateAnd(value, b_.number(0xffff)), b_.number(1)));
  b_.branch_if(b_.ir.CreateICmpUGE(index, b_.number(speculation_count(plan_.options))), plain);
  V used = b_.at(entry_at(index), offsetof(ds_speculation, bytes));
  b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, used, b_.number(bytes), llvm::MaybeAlign(8),
                        llvm::AtomicOrdering::Monotonic);
  b_.ir.CreateBr(next);
  b_.start(plain);
  if (state_.clause_plan->actions.empty()) faults_.discard_record();
  b_.ir.CreateBr(state_.clause_plan->actions.empty() ? state_.next_clause : next);
  b_.start(next);
}

// commit() and discard(). A committed ID stays in use until the consumer has printed its records. A discarded ID is
// free at once: the generation distinguishes its records from those of the next use.
void Speculation::end(const Expr& expr, const Call& call, bool is_commit) {
  V id = expressions_.int_argument(*call.arguments[0]);
  task_.cpu_number();  // cached here, in front of the branches, so that the whole clause can use it
  auto* done = b_.block("done");
  b_.branch_if(b_.is_zero(id), done);
  V index = b_.pin(b_.ir.CreateSub(id, b_.number(1)));
  faults_.fault_if(b_.ir.CreateICmpUGE(index, b_.number(speculation_count(plan_.options))), DS_FAULT_ILLOP,
                   b_.number(0), expr);
  V entry = entry_at(index);
  auto order = llvm::AtomicOrdering::SequentiallyConsistent;
  V exchanged = b_.ir.CreateAtomicCmpXchg(entry, b_.number(DS_SPECULATION_ACTIVE),
                                          b_.number(is_commit ? DS_SPECULATION_COMMITTED : DS_SPECULATION_TAKEN),
                                          llvm::MaybeAlign(8), order, order);
  V seen = b_.ir.CreateExtractValue(exchanged, 0);
  b_.branch_if(b_.ir.CreateICmpNE(seen, b_.number(DS_SPECULATION_ACTIVE)), done);
  submit_end(entry, header_value(entry, id), is_commit);
  b_.ir.CreateBr(done);
  b_.start(done);
}

// Sends the consumer a separate record, in the order of events. If the record of a commit is lost, the commit is
// undone.
void Speculation::submit_end(V entry, V speculation, bool is_commit) {
  auto* lost = b_.block("lost");
  auto* sent = b_.block("sent");
  V cpu = ring_.is_table() ? task_.cpu_number() : nullptr;
  V space = ring_.reserve(sizeof(ds_record_header), lost, cpu);
  if (!is_commit) b_.store(entry, b_.number(DS_SPECULATION_FREE), 8);
  b_.branch_if(b_.is_zero(b_.to_number(space)), lost);
  V record = ring_.start_record(space);
  auto field = [&](size_t offset, V value) { b_.store(b_.at(record, offset), value, 4); };
  field(offsetof(ds_record_header, clause), b_.number(is_commit ? DS_RECORD_COMMIT : DS_RECORD_DISCARD));
  field(offsetof(ds_record_header, probe_row), b_.ir.CreateZExt(frame_.row, b_.i64));
  field(offsetof(ds_record_header, cpu), task_.cpu_number());
  field(offsetof(ds_record_header, speculation), speculation);
  ring_.submit(record, helper_flags::no_wakeup);
  b_.ir.CreateBr(sent);
  b_.start(lost);
  if (is_commit) {
    b_.store(entry, b_.number(DS_SPECULATION_ACTIVE), 8);
    counters_.count(offsetof(ds_counters, record_drops));
  }
  b_.ir.CreateBr(sent);
  b_.start(sent);
}

// Wakes the consumer by reserving and discarding an empty record: it then reads the ring buffer at once and frees IDs.
void Speculation::wake_consumer() {
  auto* woken = b_.block("woken");
  V space = ring_.reserve(8, woken);
  b_.branch_if(b_.is_zero(b_.to_number(space)), woken);
  ring_.discard(ring_.start_record(space), helper_flags::force_wakeup);
  b_.ir.CreateBr(woken);
  b_.start(woken);
}

// speculation(): allocates an ID, or returns 0 and counts a drop.
V Speculation::allocate_id() {
  V result = b_.call_support("ds_allocate_speculation", b_.i64,
                             {b_.map("ds_speculations"), b_.number(speculation_count(plan_.options))});
  V is_none = b_.ir.CreateICmpSLE(result, b_.number(0));
  return b_.replace_if(is_none, result, "none", [&] {
    return b_.if_else(b_.is_zero(result), [&](int is_busy) {
      counters_.count(is_busy ? offsetof(ds_counters, speculations_busy)
                              : offsetof(ds_counters, speculations_unavailable));
      if (is_busy) wake_consumer();
      return b_.number(0);
    });
  });
}

}  // namespace dscope
