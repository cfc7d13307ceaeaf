#include "codegen/lower/programs/programs.h"

#include <algorithm>

#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/probe/saved_stacks.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "codegen/lower/programs/clauses.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/functions.h"
#include "codegen/lower/programs/iterators.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/programs/syscall_rows.h"
#include "contract/buffers/buffer_policy.h"
#include "contract/buffers/service_maps.h"
#include "frontend/semantics/complexity.h"

namespace dscope {

namespace {

constexpr size_t max_clause_functions = 128;  // of at most 256 functions that a BPF program may have
// In a program with more clauses and several lists, each list is a function.
constexpr size_t max_inlined_clauses = 16;
constexpr uint32_t max_tracked_joins = 12;  // with more, verification may be too expensive
size_t clauses_of(const ProgramLayout& layout) {
  size_t count = 0;
  for (const auto& list : layout.lists) count += list.size();
  return count;
}

}  // namespace

Programs::Programs(Lowering& core, ScratchSlot& scratch, Counters& counters, Functions& functions,
                   SyscallRows& syscall_rows, Iterators& iterators, Clauses& clauses, SyscallContext& syscalls,
                   TaskContext& task, SavedStacks& saved_stacks, AllocaMemory& alloca)
    : Lowerer(core),
      scratch_(scratch),
      counters_(counters),
      functions_(functions),
      syscall_rows_(syscall_rows),
      iterators_(iterators),
      clauses_(clauses),
      syscalls_(syscalls),
      task_(task),
      saved_stacks_(saved_stacks),
      alloca_memory_(alloca) {
  is_for_service_ = core.has_map("ds_handover");
  may_end_within_firing_ = buffer_policy(plan_.options) == BufferPolicy::Fill;
  for (const ClausePlan& clause : plan_.clauses) may_end_within_firing_ |= clause.can_exit();
}

void Programs::emit() {
  for (size_t i = 0; i < plan_.programs.size(); ++i) emit_program(i);
  core_.finish_debug_info();
  scratch_.describe_map();
}

void Programs::emit_program(size_t index) {
  const BpfProgramPlan& program = plan_.programs[index];
  const ProgramLayout& layout = layout_.programs[index];
  start_program(program, layout);
  // The block that leaves the program before it has claimed a slot.
  llvm::BasicBlock* done = emit_gate(layout, index);
  V list = find_row(program, layout, done);
  auto* claim = b_.block("claim");
  b_.ir.CreateBr(claim);
  b_.start(claim);
  frame_.slot = new llvm::FreezeInst(llvm::PoisonValue::get(b_.ptr), "slot", claim);
  auto* clauses = b_.block("clauses");
  b_.ir.CreateBr(clauses);
  b_.start(clauses);
  emit_lists(layout, list);
  finish_frame();
  b_.start(done);
  b_.ir.CreateRet(b_.number32(0));
}

// Starts the program's function and its frame, up to the end of the entry block.
void Programs::start_program(const BpfProgramPlan& program, const ProgramLayout& layout) {
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
  core_.describe_function(function, meaning_.clauses[layout.lists[0][0]].clause->probes[0].at.range);
  auto* body = b_.block("gate");
  b_.ir.CreateBr(body);  // the entry block holds stack slots only
  b_.start(body);
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  if (scratch_.alloca_area() != 0) alloca_memory_.begin_function();
}

// Tests whether this firing is traced. Returns the block that leaves the program, which the caller completes.
llvm::BasicBlock* Programs::emit_gate(const ProgramLayout& layout, size_t index) {
  V activity = b_.load_volatile32(b_.map("ds_state"));
  auto* done = b_.block("done");
  if (is_for_service_ && layout.expected_activity == DS_ACTIVITY_ACTIVE) emit_handover(activity, index, done);
  else b_.branch_if(b_.ir.CreateICmpNE(activity, b_.number32(layout.expected_activity)), done);
  // Saves the stacks of every thread, before the filters below: the thread may run again on a CPU where the probe
  // fires.
  if (saved_stacks_.saves_stacks()) saved_stacks_.save_stacks();
  if (int64_t cpu = plan_.options.number(OptionId::Cpu); cpu >= 0) {
    V here = b_.ir.CreateAnd(b_.call(Helper::GetSmpProcessorId, {}), b_.number(0xffffffff));
    b_.branch_if(b_.ir.CreateICmpNE(here, b_.number(static_cast<uint64_t>(cpu))), done);
  }
  if (layout.only_process != 0) {
    V process = b_.ir.CreateLShr(task_.own_pid_tgid(), b_.number(32));
    V expected = b_.number(core_.machine_number(layout.only_process, &layout.only_process));
    b_.branch_if(b_.ir.CreateICmpNE(process, expected), done);
  }
  if (layout.family != 0) {
    V task = b_.call(Helper::GetCurrentTask, {});
    V family = b_.number(core_.machine_number(layout.family, &layout.family));
    b_.branch_if(b_.is_zero(task_.is_progeny(task, family)), done);
  }
  if (frame_.iterator != nullptr) {
    iterators_.find_object(done);
    iterators_.mark_object();
  }
  return done;
}

// Continues if the program counts the event: its run is active, or it decides so together with the program of the run
// that replaces it.
void Programs::emit_handover(V activity, size_t index, llvm::BasicBlock* done) {
  auto* counts = b_.block("counts");
  auto* inactive = b_.block("inactive");
  b_.ir.CreateCondBr(b_.ir.CreateICmpEQ(activity, b_.number32(DS_ACTIVITY_ACTIVE)), counts, inactive);
  b_.start(inactive);
  b_.branch_if(b_.ir.CreateICmpULT(activity, b_.number32(DS_ACTIVITY_HANDING_OVER)), done);
  HandoverRole role = handover_role(plan_, index);
  V thread = b_.ir.CreateAnd(b_.call(Helper::GetCurrentPidTgid, {}), b_.number(0xffffffff));
  V cpu = b_.call(Helper::GetSmpProcessorId, {});
  V decision = b_.call_support("ds_counts_in_handover", b_.i64,
                               {b_.map("ds_handover"), b_.ir.CreateZExt(activity, b_.i64), thread, cpu,
                                b_.number(uint64_t{role.order} << 32 | role.slot)});
  b_.branch_if(b_.is_zero(decision), done);
  b_.ir.CreateBr(counts);
  b_.start(counts);
}

// Sets the frame's row. Returns the number of the clause list to run, or null if the program has only one list.
V Programs::find_row(const BpfProgramPlan& program, const ProgramLayout& layout, llvm::BasicBlock* done) {
  V list = nullptr;
  switch (program.row_source) {
    case RowSource::Constant: frame_.row = row_number(layout.rows[0]); break;
    case RowSource::Cookie: {
      // Pinned: the cookie is the address of a symbol, and LLVM would assume that it is a multiple of 8.
      V cookie = program.cookie_by_copy ? b_.pin(b_.to_number(b_.map("ds_cookie")))
                                        : b_.call(Helper::GetAttachCookie, {frame_.context});
      frame_.row = b_.ir.CreateTrunc(cookie, b_.i32);
      b_.branch_if(b_.ir.CreateICmpUGE(frame_.row, core_.row_count()), done);
      break;
    }
    case RowSource::Table: {
      V number = syscalls_.number();
      auto* outside = b_.block("outside");
      frame_.row = syscall_rows_.table_row(layout, number, list);
      b_.ir.CreateBr(outside);
      b_.start(outside);
      break;
    }
  }
  return list;
}

void Programs::emit_lists(const ProgramLayout& layout, V list) {
  if (layout.lists.size() == 1) {
    if (layout.rows.size() == 1) {
      frame_.constant_row = layout.rows[0];
      frame_.row = row_number(layout.rows[0]);
    }
    return emit_list(layout, layout.lists[0]);
  }
  if (layout.outlines_clauses || clauses_of(layout) <= max_inlined_clauses)
    return emit_list_choice(layout, list, 0, layout.lists.size());
  // One large function would exceed the BPF stack and take LLVM too long.
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
    functions_.emit_clause_function(fmt::format("ds_list_{}_{}", layout.lists[first][0], first), list, [&](V own_list) {
      if (end - first == 1) emit_list(layout, layout.lists[first]);
      else emit_list_choice(layout, own_list, first, end);
    });
    frame_.row = any_row;
    frame_.rows = std::move(any_rows);
    frame_.constant_row.reset();
    b_.ir.CreateBr(frame_.leave);
  }
}

// Emits a switch over the lists [first, end) of the program.
void Programs::emit_list_choice(const ProgramLayout& layout, V list, size_t first, size_t end) {
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

// The code that follows runs for the probes of this list only.
void Programs::select_list(const ProgramLayout& layout, size_t list) {
  frame_.rows.clear();
  for (size_t r = 0; r < layout.rows.size(); ++r)
    if (layout.list_of_row[r] == list) frame_.rows.push_back(layout.rows[r]);
  frame_.constant_row.reset();
  if (frame_.rows.size() != 1) return;
  frame_.constant_row = frame_.rows[0];
  frame_.row = row_number(*std::ranges::find(layout.rows, frame_.rows[0]));
}

// `row`: an element of ProgramLayout::rows.
V Programs::row_number(const uint32_t& row) { return b_.number32(core_.machine_number(row, &row)); }

// Emits the clauses of one firing. After exit() on any CPU, later clauses do not run.
void Programs::emit_list(const ProgramLayout& layout, const std::vector<uint32_t>& clauses) {
  if (!layout.outlines_clauses) {
    emit_clauses(clauses, layout.expected_activity);
    b_.ir.CreateBr(frame_.leave);
    return;
  }
  size_t group = std::max<size_t>(1, (clauses_of(layout) + max_clause_functions - 1) / max_clause_functions);
  for (size_t i = 0; i < clauses.size(); i += group) {
    std::span<const uint32_t> part{clauses.data() + i, std::min(group, clauses.size() - i)};
    functions_.emit_clause_function(plan_.clauses[part[0]].function, b_.number32(0), [&](V) {
      if (may_end_within_firing_) leave_unless_active(layout.expected_activity);
      emit_clauses(part, layout.expected_activity);
      b_.ir.CreateBr(frame_.leave);
    });
  }
  b_.ir.CreateBr(frame_.leave);
}

void Programs::emit_clauses(std::span<const uint32_t> clauses, uint32_t expected_activity) {
  uint32_t joins = 0;
  for (uint32_t clause : clauses) joins += count_joins(meaning_, meaning_.clauses[clause]);
  state_.has_many_joins = joins > max_tracked_joins;
  state_.firing.clear();
  state_.cache.clear();
  state_.clause_start = b_.ir.GetInsertBlock();
  if (clauses.size() > 1) task_.current_task();  // LLVM removes it if no clause uses it
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (i != 0 && may_end_within_firing_) leave_unless_active(expected_activity);
    clauses_.emit_clause(clauses[i]);
  }
}

void Programs::leave_unless_active(uint32_t expected_activity) {
  V activity = b_.load_volatile32(b_.map("ds_state"));
  V has_ended = b_.ir.CreateICmpNE(activity, b_.number32(expected_activity));
  if (is_for_service_ && expected_activity == DS_ACTIVITY_ACTIVE)
    has_ended = b_.ir.CreateICmpULT(b_.ir.CreateSub(activity, b_.number32(DS_ACTIVITY_DRAINING)), b_.number32(2));
  b_.branch_if(has_ended, frame_.leave);
}

// Replaces the placeholder of the scratch slot by the code that claims a slot, if the program uses it.
void Programs::finish_frame() {
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
  b_.start(claim);
  auto* lost = b_.block("lost");
  V claimed = scratch_.claim(lost);
  // Each firing starts without a string for strtok() to continue.
  if (layout_.strtok_offset != 0) b_.store(b_.at(claimed, layout_.strtok_offset), b_.number(0), 8);
  b_.ir.CreateBr(clauses);
  slot->replaceAllUsesWith(claimed);
  slot->eraseFromParent();
  b_.start(lost);
  counters_.count(offsetof(ds_counters, scratch_drops));
  b_.ir.CreateRet(b_.number32(0));
}

}  // namespace dscope
