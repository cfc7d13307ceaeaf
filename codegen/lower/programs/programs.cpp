// Programs: the gate, finding out which probe fired, the clauses in order, and the scratch slot they share.
#include <algorithm>

#include "codegen/lower/emitter.h"
#include "contract/buffer_policy.h"
#include "frontend/plan/plan_layout.h"
#include "frontend/semantics/complexity.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t max_clause_functions = 128;  // of at most 256 functions that a BPF program may have
// Beyond so many clauses in a program of several lists each list is a function.
constexpr size_t max_inlined_clauses = 16;
constexpr uint32_t many_joins = 12;  // more may cost the verifier too much

size_t clauses_of(const ProgramLayout& layout) {
  size_t count = 0;
  for (const auto& list : layout.lists) count += list.size();
  return count;
}

// Is it an assignment, ++ or -- of a byte of a string, or of what a pointer to bytes of D variables points to?
bool stores_byte(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  const Expr* target = nullptr;
  if (const auto* assign = std::get_if<Assign>(&expr.form)) target = assign->lhs;
  if (const auto* unary = std::get_if<Unary>(&expr.form))
    if (unary->op >= UnaryOp::PreIncrement) target = unary->operand;
  while (target != nullptr && meaning.info(clause, *target).stands_for != nullptr)
    target = meaning.info(clause, *target).stands_for;
  if (target == nullptr || meaning.types->size_of(meaning.info(clause, *target).type) != 1) return false;
  const auto* index = std::get_if<Index>(&target->form);
  const auto* deref = std::get_if<Unary>(&target->form);
  const Expr* base = index != nullptr ? index->base : deref != nullptr ? deref->operand : nullptr;
  if (base == nullptr) return false;
  const ExprInfo& whole = meaning.info(clause, *base);
  return meaning.types->is_string(whole.type) ||
         (meaning.types->is_pointer(whole.type) && whole.space != Space::Scratch);
}

}  // namespace

Emitter::Emitter(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
                 const LowerOptions& options, IrModule& out)
    : sources_(sources),
      meaning_(meaning),
      compiled_(compiled),
      plan_(compiled.plan),
      layout_(compiled.layout),
      options_(options),
      out_(out),
      b_(out.module()) {
  if (options.debug_info) debug_ = std::make_unique<DebugInfo>(out.module(), sources);
  may_end_within_firing_ = buffer_policy(plan_.options) == BufferPolicy::Fill;
  for (const ClausePlan& clause : plan_.clauses) may_end_within_firing_ |= clause.can_exit();
  bool has_uprobes = std::ranges::any_of(
      plan_.programs, [](const BpfProgramPlan& program) { return program.context == BpfContext::Probe; });
  if (options_.may_sleep && has_uprobes) scratch_slots_ = sleeping_scratch_slots;
  bool allocates = false;
  walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) {
    stores_bytes_ |= stores_byte(meaning_, clause, expr);
    const auto* id = std::get_if<Subroutine>(&meaning_.info(clause, expr).binding);
    if (id == nullptr) return;
    allocates |= *id == Subroutine::Copyin || *id == Subroutine::Alloca || *id == Subroutine::Memref;
  });
  comm_offset_ = round_up8(layout_.scratch_reserved);
  first_temporary_ = comm_offset_ + 16;
  if (allocates) {
    // Twice the limit: the verifier adds the greatest offset and the greatest size, whose sum is checked at run time.
    alloca_area_ = first_temporary_;
    first_temporary_ += 2 * round_up8(static_cast<uint32_t>(plan_.options.number(OptionId::Scratchsize)) + 8);
  }
  temporary_end_ = scratch_size_ = first_temporary_;
}

void Emitter::run() {
  for (size_t i = 0; i < plan_.programs.size(); ++i) emit_program(i);
  if (debug_ != nullptr) debug_->finish();
  if (uses_scratch_) out_.scratch_size = scratch_size_;
  out_.scratch_kind = options_.per_cpu_scratch ? MapKind::PerCpuArray : MapKind::Array;
  out_.scratch_entries = options_.per_cpu_scratch ? scratch_slots_ : scratch_slots_ * layout_.cpu_count;
}

void Emitter::emit_program(size_t index) {
  const BpfProgramPlan& program = plan_.programs[index];
  const ProgramLayout& layout = layout_.programs[index];
  auto* type = llvm::FunctionType::get(b_.i32, {b_.ptr}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, program.symbol, b_.module());
  function->setSection("prog/" + program.symbol);
  state_ = {};
  frame_ = {.function = function,
            .kind = program.context,
            .context = function->getArg(0),
            .program = &layout,
            .rows = layout.rows};
  const auto* function_hook = std::get_if<HookFunction>(&program.attachments.front().hook);
  frame_.is_function_return = function_hook != nullptr && function_hook->is_return;
  frame_.is_security_hook = function_hook != nullptr && function_hook->mechanism == FunctionMechanism::Security;
  frame_.iterator = std::get_if<HookIterator>(&program.attachments.front().hook);

  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  describe_function(function, meaning_.clauses[layout.lists[0][0]].clause->probes[0].at.range);
  auto* body = b_.block("gate");
  b_.ir.CreateBr(body);  // the entry block is for stack slots alone
  b_.start(body);
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  if (alloca_area_ != 0) begin_scratch();
  V activity = b_.load_volatile32(b_.map("ds_state"));
  auto* done = b_.block("done");
  b_.leave_if(b_.ir.CreateICmpNE(activity, b_.number32(layout.expected_activity)), done);
  if (keeps_stacks()) keep_stacks();  // of every thread: it may go on where the probe is to be seen
  if (int64_t cpu = plan_.options.number(OptionId::Cpu); cpu >= 0) {
    V here = b_.ir.CreateAnd(b_.call(Helper::GetSmpProcessorId, {}), b_.number(0xffffffff));
    b_.leave_if(b_.ir.CreateICmpNE(here, b_.number(static_cast<uint64_t>(cpu))), done);
  }
  if (layout.only_process != 0) {
    V process = b_.ir.CreateLShr(own_pid_tgid(), b_.number(32));
    b_.leave_if(b_.ir.CreateICmpNE(process, b_.number(layout.only_process)), done);
  }
  if (layout.family != 0) {
    V task = b_.call(Helper::GetCurrentTask, {});
    b_.leave_if(b_.is_zero(is_progeny(task, b_.number(layout.family))), done);
  }
  if (frame_.iterator != nullptr) {
    find_object(done);
    mark_object();
  }
  V list = nullptr;
  switch (program.row_source) {
    case RowSource::Constant: frame_.row = b_.number32(layout.rows[0]); break;
    case RowSource::Cookie: {
      // Guarded: as the address of a symbol, the number would be taken for a multiple of 8.
      V cookie = program.cookie_by_copy ? b_.guarded(b_.to_number(b_.map("ds_cookie")))
                                        : b_.call(Helper::GetAttachCookie, {frame_.context});
      frame_.row = b_.ir.CreateTrunc(cookie, b_.i32);
      b_.leave_if(b_.ir.CreateICmpUGE(frame_.row, b_.number32(static_cast<uint32_t>(plan_.probes.size()))), done);
      break;
    }
    case RowSource::Table: {
      V number = syscall_number();
      auto* outside = b_.block("outside");
      frame_.row = table_row(layout, number, list);
      b_.ir.CreateBr(outside);
      b_.start(outside);
      break;
    }
  }
  auto* claim = b_.block("claim");
  b_.ir.CreateBr(claim);
  b_.start(claim);
  frame_.slot = new llvm::FreezeInst(llvm::PoisonValue::get(b_.ptr), "slot", claim);
  auto* clauses = b_.block("clauses");
  b_.ir.CreateBr(clauses);
  b_.start(clauses);
  emit_lists(layout, list);
  finish_frame();
  // `done` leaves without a slot.
  b_.start(done);
  b_.ir.CreateRet(b_.number32(0));
}

void Emitter::emit_lists(const ProgramLayout& layout, V list) {
  if (layout.lists.size() == 1) {
    if (layout.rows.size() == 1) {
      frame_.constant_row = layout.rows[0];
      frame_.row = b_.number32(layout.rows[0]);
    }
    return emit_list(layout, layout.lists[0]);
  }
  if (layout.outlines_clauses || clauses_of(layout) <= max_inlined_clauses)
    return emit_list_choice(layout, list, 0, layout.lists.size());
  // One large function would take LLVM and the stack more than they have.
  size_t group = (layout.lists.size() + max_clause_functions - 1) / max_clause_functions;
  auto* choice = b_.ir.CreateSwitch(list, frame_.leave, static_cast<unsigned>(layout.lists.size()));
  for (size_t first = 0; first < layout.lists.size(); first += group) {
    size_t end = std::min(first + group, layout.lists.size());
    auto* block = b_.block("lists");
    for (size_t i = first; i < end; ++i)
      choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i32), i), block);
    b_.start(block);
    V any_row = frame_.row;
    std::vector<uint32_t> any_rows = frame_.rows;
    if (end - first == 1) select_list(layout, first);
    emit_clause_function(fmt::format("ds_list_{}_{}", layout.lists[first][0], first), list, [&](V own_list) {
      if (end - first == 1) emit_list(layout, layout.lists[first]);
      else emit_list_choice(layout, own_list, first, end);
    });
    frame_.row = any_row;
    frame_.rows = std::move(any_rows);
    frame_.constant_row.reset();
    b_.ir.CreateBr(frame_.leave);
  }
}

// Lists [first, end) of the program, one of which runs.
void Emitter::emit_list_choice(const ProgramLayout& layout, V list, size_t first, size_t end) {
  auto* choice = b_.ir.CreateSwitch(list, frame_.leave, static_cast<unsigned>(end - first));
  V any_row = frame_.row;
  for (size_t i = first; i < end; ++i) {
    auto* block = b_.block("list");
    choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i32), i), block);
    b_.start(block);
    frame_.row = any_row;
    select_list(layout, i);
    emit_list(layout, layout.lists[i]);
  }
}

// What follows runs for the probes of this list only.
void Emitter::select_list(const ProgramLayout& layout, size_t list) {
  frame_.rows.clear();
  for (size_t r = 0; r < layout.rows.size(); ++r)
    if (layout.list_of_row[r] == list) frame_.rows.push_back(layout.rows[r]);
  frame_.constant_row.reset();
  if (frame_.rows.size() != 1) return;
  frame_.constant_row = frame_.rows[0];
  frame_.row = b_.number32(frame_.rows[0]);
}

// The clauses of one firing. exit() on any CPU keeps later ones from running.
void Emitter::emit_list(const ProgramLayout& layout, const std::vector<uint32_t>& clauses) {
  if (!layout.outlines_clauses) {
    emit_clauses(clauses, layout.expected_activity);
    b_.ir.CreateBr(frame_.leave);
    return;
  }
  size_t group = std::max<size_t>(1, (clauses_of(layout) + max_clause_functions - 1) / max_clause_functions);
  for (size_t i = 0; i < clauses.size(); i += group) {
    std::span<const uint32_t> some{clauses.data() + i, std::min(group, clauses.size() - i)};
    emit_clause_function(plan_.clauses[some[0]].function, b_.number32(0), [&](V) {
      if (may_end_within_firing_) leave_unless_active(layout.expected_activity);
      emit_clauses(some, layout.expected_activity);
      b_.ir.CreateBr(frame_.leave);
    });
  }
  b_.ir.CreateBr(frame_.leave);
}

void Emitter::emit_clauses(std::span<const uint32_t> clauses, uint32_t expected_activity) {
  uint32_t joins = 0;
  for (uint32_t clause : clauses) joins += count_joins(meaning_, meaning_.clauses[clause]);
  state_.is_complex = joins > many_joins;
  state_.firing.clear();
  cache_.clear();
  state_.clause_start = b_.ir.GetInsertBlock();
  if (clauses.size() > 1) current_task();  // LLVM leaves it out where nobody needs it
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (i != 0 && may_end_within_firing_) leave_unless_active(expected_activity);
    emit_clause(clauses[i]);
  }
}

void Emitter::leave_unless_active(uint32_t expected_activity) {
  V activity = b_.load_volatile32(b_.map("ds_state"));
  b_.leave_if(b_.ir.CreateICmpNE(activity, b_.number32(expected_activity)), frame_.leave);
}

// Turns the stand-in for the scratch slot into the code that claims one, if anything used it.
void Emitter::finish_frame() {
  llvm::Instruction* slot = frame_.slot;
  bool is_used = !slot->use_empty();
  b_.start(frame_.leave);
  if (is_used) b_.ir.CreateAlignedStore(b_.number(0), slot, llvm::Align(8), true);
  b_.ir.CreateRet(b_.number32(0));
  if (!is_used) {
    slot->eraseFromParent();
    return;
  }
  llvm::BasicBlock* claim = slot->getParent();
  llvm::BasicBlock* clauses = claim->getSingleSuccessor();
  claim->getTerminator()->eraseFromParent();
  uses_scratch_ = true;
  b_.start(claim);
  auto* lost = b_.block("lost");
  V claimed = claim_scratch(lost);
  // Each firing starts without a string to go on in.
  if (layout_.strtok_offset != 0) b_.store(b_.at(claimed, layout_.strtok_offset), b_.number(0), 8);
  b_.ir.CreateBr(clauses);
  slot->replaceAllUsesWith(claimed);
  slot->eraseFromParent();
  b_.start(lost);
  count(offsetof(ds_counters, scratch_drops));
  b_.ir.CreateRet(b_.number32(0));
}

// A program may be interrupted or preempted on its CPU by another one: each claims a slot of its own. Mostly the first
// one is free.
V Emitter::claim_scratch(llvm::BasicBlock* lost) {
  V key = b_.shared_slot(4, "slot_index");
  V first = b_.number32(0);
  if (!options_.per_cpu_scratch) {
    V cpu = b_.ir.CreateTrunc(b_.call(Helper::GetSmpProcessorId, {}), b_.i32);
    first = b_.ir.CreateMul(cpu, b_.number32(scratch_slots_));
  }
  auto* claimed = b_.block("claimed");
  llvm::SmallVector<std::pair<V, llvm::BasicBlock*>, 2> found;
  auto claim = [&](V index) {
    b_.ir.CreateStore(b_.ir.CreateAdd(first, index), key);
    V candidate = b_.lookup("ds_scratch", key);
    b_.leave_if(b_.is_zero(b_.to_number(candidate)), lost);
    V taken = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, candidate, b_.number(1), llvm::MaybeAlign(8),
                                    llvm::AtomicOrdering::SequentiallyConsistent);
    found.emplace_back(candidate, b_.ir.GetInsertBlock());
    b_.leave_if(b_.is_zero(taken), claimed);
  };
  claim(b_.number32(0));
  auto* before = b_.ir.GetInsertBlock();
  auto* another = b_.block("another_slot");
  b_.ir.CreateBr(another);
  b_.start(another);
  auto* index = b_.ir.CreatePHI(b_.i32, 2, "slot");
  claim(index);
  V next = b_.ir.CreateAdd(index, b_.number32(1));
  index->addIncoming(b_.number32(1), before);
  index->addIncoming(next, b_.ir.GetInsertBlock());
  b_.ir.CreateCondBr(b_.ir.CreateICmpULT(next, b_.number32(scratch_slots_)), another, lost);
  b_.start(claimed);
  auto* slot = b_.ir.CreatePHI(b_.ptr, 2, "slot");
  for (auto& [candidate, block] : found) slot->addIncoming(candidate, block);
  if (tells_records_apart()) b_.remember_state();
  return slot;
}

V Emitter::scratch_at(uint32_t offset) { return b_.at(frame_.slot, offset); }

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options) {
  IrModule ir;
  Emitter(sources, meaning, compiled, options, ir).run();
  constexpr uint32_t largest_per_cpu_element = 32 << 10;
  if (!options.per_cpu_scratch || ir.scratch_size <= largest_per_cpu_element) return ir;
  LowerOptions numbered = options;
  numbered.per_cpu_scratch = false;
  return lower(sources, meaning, compiled, numbered);
}

void complete_plan(ProgramPlan& plan, const IrModule& ir) {
  plan.fault_sites = ir.fault_sites;
  for (size_t index : ir.sleeping) plan.programs[index].may_sleep = true;
  std::erase_if(plan.maps, [](const MapPlan& map) { return map.name == "ds_scratch"; });
  if (ir.scratch_size != 0)
    plan.maps.push_back({.name = "ds_scratch",
                         .kind = ir.scratch_kind,
                         .key_size = 4,
                         .value_size = ir.scratch_size,
                         .max_entries = ir.scratch_entries});
}

}  // namespace dscope
