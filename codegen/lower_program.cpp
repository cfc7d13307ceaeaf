// Programs: the gate, finding out which probe fired, the clauses in order, and the scratch slot they share.
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "codegen/emitter.h"
#include "frontend/plan_layout.h"
#include "frontend/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t no_wakeup = 1;        // BPF_RB_NO_WAKEUP
constexpr uint32_t syscall_limit = 512;  // above every number of x86-64
constexpr size_t most_clause_functions = 128;
constexpr size_t switch_limit = 8;  // up to so many system calls are told apart by comparisons

}  // namespace

IrModule::IrModule() : context_(std::make_unique<llvm::LLVMContext>()) {
  module_ = std::make_unique<llvm::Module>("dscope", *context_);
  module_->setTargetTriple("bpf");
  module_->setDataLayout("e-m:e-p:64:64-i64:64-i128:128-n32:64-S128");
}
IrModule::IrModule(IrModule&&) noexcept = default;
IrModule::~IrModule() {
  module_.reset();  // before its context
}

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
  bool allocates = false;
  for (const ClauseInstance& clause : meaning_.clauses) {
    walk_clause(meaning_, clause, [&](const Expr& expr) {
      const auto* id = std::get_if<Subroutine>(&meaning_.info(clause, expr).binding);
      allocates |= id != nullptr && (*id == Subroutine::Copyin || *id == Subroutine::Alloca);
    });
  }
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

  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  describe_function(function, meaning_.clauses[layout.lists[0][0]].clause->probes[0].at.range);
  auto* body = b_.block("gate");
  b_.ir.CreateBr(body);  // the entry block is for stack slots alone
  b_.start(body);
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  if (alloca_area_ != 0) alloca_used_ = b_.slot(b_.i64, "alloca_used");
  V activity = b_.load_volatile32(b_.map("ds_state"));
  auto* done = b_.block("done");
  b_.leave_if(b_.ir.CreateICmpNE(activity, b_.number32(layout.expected_activity)), done);
  if (int64_t cpu = plan_.options.number(OptionId::Cpu); cpu >= 0) {
    V here = b_.ir.CreateAnd(b_.call(Helper::GetSmpProcessorId, {}), b_.number(0xffffffff));
    b_.leave_if(b_.ir.CreateICmpNE(here, b_.number(static_cast<uint64_t>(cpu))), done);
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

// The row of a system call and, when lists differ, which list runs: comparisons for a few calls, else tables.
V Emitter::table_row(const ProgramLayout& layout, V number, V& list) {
  auto* skip = llvm::BasicBlock::Create(b_.module().getContext(), "skip", frame_.function);
  bool has_lists = layout.lists.size() > 1;
  V row = nullptr;
  if (layout.rows.size() <= switch_limit) {
    auto* found = llvm::BasicBlock::Create(b_.module().getContext(), "found", frame_.function);
    auto* choice = b_.ir.CreateSwitch(number, skip, static_cast<unsigned>(layout.rows.size()));
    auto count_of_rows = static_cast<unsigned>(layout.rows.size());
    b_.start(found);
    auto* row_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    auto* list_phi = b_.ir.CreatePHI(b_.i32, count_of_rows);
    for (size_t i = 0; i < layout.rows.size(); ++i) {
      auto* one = llvm::BasicBlock::Create(b_.module().getContext(), "call", frame_.function);
      choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i64), layout.syscall_numbers[i]), one);
      b_.start(one);
      b_.ir.CreateBr(found);
      row_phi->addIncoming(b_.number32(layout.rows[i]), one);
      list_phi->addIncoming(b_.number32(layout.list_of_row[i]), one);
    }
    b_.start(found);
    row = row_phi;
    if (has_lists) list = list_phi;
  } else {
    std::vector<uint16_t> rows(syscall_limit), lists(syscall_limit);
    for (size_t i = 0; i < layout.rows.size(); ++i) {
      DS_CHECK(layout.syscall_numbers[i] < syscall_limit);
      rows[layout.syscall_numbers[i]] = static_cast<uint16_t>(layout.rows[i] + 1);
      lists[layout.syscall_numbers[i]] = static_cast<uint16_t>(layout.list_of_row[i]);
    }
    b_.leave_if(b_.ir.CreateICmpUGE(number, b_.number(syscall_limit)), skip);
    V offset = b_.ir.CreateShl(number, b_.number(1));
    V entry = b_.load(b_.at(b_.constant_words16(rows, "rows"), offset), 2, false);
    b_.leave_if(b_.is_zero(entry), skip);
    row = b_.ir.CreateTrunc(b_.ir.CreateSub(entry, b_.number(1)), b_.i32);
    // For the verifier, which does not know what is in the table.
    b_.leave_if(b_.ir.CreateICmpUGE(row, b_.number32(static_cast<uint32_t>(plan_.probes.size()))), skip);
    if (has_lists)
      list = b_.ir.CreateTrunc(b_.load(b_.at(b_.constant_words16(lists, "lists"), offset), 2, false), b_.i32);
  }
  auto here = b_.ir.saveIP();
  b_.start(skip);
  b_.ir.CreateRet(b_.number32(0));
  b_.ir.restoreIP(here);
  return row;
}

void Emitter::emit_lists(const ProgramLayout& layout, V list) {
  auto emit_list = [&](const std::vector<uint32_t>& clauses) {
    if (layout.outlines_clauses) {
      // A BPF program has at most 256 functions.
      size_t all = 0;
      for (const auto& each : layout.lists) all += each.size();
      size_t group = std::max<size_t>(1, (all + most_clause_functions - 1) / most_clause_functions);
      for (size_t i = 0; i < clauses.size(); i += group)
        emit_clause_function({clauses.data() + i, std::min(group, clauses.size() - i)}, layout.expected_activity);
      b_.ir.CreateBr(frame_.leave);
      return;
    }
    for (size_t i = 0; i < clauses.size(); ++i) {
      if (i != 0) {
        // exit() on any CPU keeps later clauses from running.
        V activity = b_.load_volatile32(b_.map("ds_state"));
        b_.leave_if(b_.ir.CreateICmpNE(activity, b_.number32(layout.expected_activity)), frame_.leave);
      }
      emit_clause(clauses[i]);
    }
    b_.ir.CreateBr(frame_.leave);
  };
  if (layout.lists.size() == 1) {
    if (layout.rows.size() == 1) frame_.constant_row = layout.rows[0];
    return emit_list(layout.lists[0]);
  }
  auto* choice = b_.ir.CreateSwitch(list, frame_.leave, static_cast<unsigned>(layout.lists.size()));
  V any_row = frame_.row;
  for (size_t i = 0; i < layout.lists.size(); ++i) {
    auto* block = b_.block("list");
    choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(b_.i32), i), block);
    b_.start(block);
    frame_.rows.clear();
    for (size_t r = 0; r < layout.rows.size(); ++r)
      if (layout.list_of_row[r] == i) frame_.rows.push_back(layout.rows[r]);
    frame_.constant_row.reset();
    frame_.row = any_row;
    if (frame_.rows.size() == 1) {
      frame_.constant_row = frame_.rows[0];
      frame_.row = b_.number32(frame_.rows[0]);
    }
    emit_list(layout.lists[i]);
  }
}

// Turns the stand-in for the scratch slot into the code that claims one, if anything used it.
void Emitter::finish_frame() {
  llvm::Instruction* slot = frame_.slot;
  bool is_used = !slot->use_empty();
  if (frame_.is_subprogram) {
    b_.start(frame_.leave);
    b_.ir.CreateRetVoid();
    return;
  }
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

// A program may be interrupted or preempted on its CPU by another one: each claims a slot of its own.
V Emitter::claim_scratch(llvm::BasicBlock* lost) {
  V key = b_.shared_slot(4, "slot_index");
  auto* claimed = b_.block("claimed");
  llvm::SmallVector<std::pair<V, llvm::BasicBlock*>, scratch_slots> found;
  for (uint32_t i = 0; i < scratch_slots; ++i) {
    b_.ir.CreateStore(b_.number32(i), key);
    V candidate = b_.lookup("ds_scratch", key);
    b_.leave_if(b_.is_zero(b_.to_number(candidate)), lost);
    V taken = b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, candidate, b_.number(1), llvm::MaybeAlign(8),
                                    llvm::AtomicOrdering::SequentiallyConsistent);
    found.emplace_back(candidate, b_.ir.GetInsertBlock());
    b_.leave_if(b_.is_zero(taken), claimed);
  }
  b_.ir.CreateBr(lost);
  b_.start(claimed);
  auto* slot = b_.ir.CreatePHI(b_.ptr, scratch_slots, "slot");
  for (auto& [candidate, block] : found) slot->addIncoming(candidate, block);
  return slot;
}

V Emitter::scratch_at(uint32_t offset) { return b_.at(frame_.slot, offset); }

void Emitter::count(size_t counter_offset) {
  auto* key = b_.shared_slot(4, "counter_key");
  b_.ir.CreateStore(b_.number32(0), key);
  V counters = b_.lookup("ds_counters", key);
  auto* there = b_.block("count");
  auto* on = b_.block("counted");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(counters)), on, there);
  b_.start(there);
  V counter = b_.at(counters, counter_offset);
  b_.store(counter, b_.ir.CreateAdd(b_.load(counter, 8, false), b_.number(1)), 8);
  b_.ir.CreateBr(on);
  b_.start(on);
}

// ds_report_fault(clause << 32 | site, code << 32 | row, value): writes a ds_fault_record. Out of line: faults are
// rare.
llvm::Function* Emitter::fault_function() {
  if (fault_function_ != nullptr) return fault_function_;
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.i64, b_.i64, b_.i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "ds_report_fault", b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  auto saved = b_.ir.saveIP();
  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  if (debug_ != nullptr) debug_->add_function(*function, state_.range);
  SourceRange range = state_.range;
  locate(range);
  auto* body = b_.block("body");
  b_.ir.CreateBr(body);
  b_.start(body);
  V record = b_.call_for_pointer(Helper::RingbufReserve,
                                 {b_.map("ds_ring"), b_.number(sizeof(ds_fault_record)), b_.number(0)});
  auto* lost = b_.block("lost");
  b_.leave_if(b_.is_zero(b_.to_number(record)), lost);
  auto field = [&](size_t offset, V value) { b_.store(b_.at(record, offset), value, 4); };
  V where = function->getArg(0), what = function->getArg(1);
  auto high = [&](V pair) { return b_.ir.CreateLShr(pair, b_.number(32)); };
  field(offsetof(ds_record_header, clause), b_.number(DS_RECORD_FAULT));
  field(offsetof(ds_record_header, probe_row), what);
  field(offsetof(ds_record_header, cpu), b_.call(Helper::GetSmpProcessorId, {}));
  field(offsetof(ds_record_header, speculation), b_.number(0));
  field(offsetof(ds_fault_record, clause), high(where));
  field(offsetof(ds_fault_record, site), where);
  field(offsetof(ds_fault_record, code), high(what));
  field(offsetof(ds_fault_record, reserved), b_.number(0));
  b_.store(b_.at(record, offsetof(ds_fault_record, value)), function->getArg(2), 8);
  b_.call(Helper::RingbufSubmit, {record, b_.number(no_wakeup)});
  b_.ir.CreateRetVoid();
  b_.start(lost);
  count(offsetof(ds_counters, fault_drops));
  b_.ir.CreateRetVoid();
  b_.ir.restoreIP(saved);
  locate(range);
  return fault_function_ = function;
}

// The ERROR clauses as a function (context, scratch slot, clause << 32 | site, code << 32 | row, value), one for each
// kind of context they may run in.
llvm::Function* Emitter::error_function(BpfContext kind) {
  for (auto& [known, function] : error_functions_)
    if (known == kind) return function;
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.ptr, b_.ptr, b_.i64, b_.i64, b_.i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                          fmt::format("ds_error_{}", static_cast<int>(kind)), b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  error_functions_.emplace_back(kind, function);
  return function;
}

// Emits into another function, then goes on where it was.
template <typename F>
void Emitter::in_function(llvm::Function* function, F emit) {
  auto saved_ip = b_.ir.saveIP();
  FunctionState saved = std::exchange(state_, {});
  uint32_t saved_end = temporary_end_;
  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  describe_function(function, saved.range);
  auto* body = b_.block("body");
  b_.ir.CreateBr(body);  // the entry block is for stack slots alone
  b_.start(body);
  if (alloca_area_ != 0) alloca_used_ = b_.slot(b_.i64, "alloca_used");
  emit();
  state_ = std::move(saved);
  temporary_end_ = saved_end;
  b_.ir.restoreIP(saved_ip);
  locate(state_.range);
}

// Some clauses as a function (context, scratch slot, row): a program of many clauses would run out of stack if they all
// were one function.
void Emitter::emit_clause_function(std::span<const uint32_t> clauses, uint32_t expected_activity) {
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.ptr, b_.ptr, b_.i64}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, plan_.clauses[clauses[0]].function, b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  Frame caller = frame_;
  b_.ir.CreateCall(function, {frame_.context, frame_.slot, b_.ir.CreateZExt(frame_.row, b_.i64)});
  in_function(function, [&] {
    frame_ = caller;
    frame_.function = function;
    frame_.context = function->getArg(0);
    frame_.is_subprogram = true;
    frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
    frame_.slot = llvm::cast<llvm::Instruction>(b_.ir.CreateFreeze(function->getArg(1), "slot"));
    if (!frame_.constant_row) {
      frame_.row = b_.ir.CreateTrunc(function->getArg(2), b_.i32);
      b_.leave_if(b_.ir.CreateICmpUGE(frame_.row, b_.number32(static_cast<uint32_t>(plan_.probes.size()))),
                  frame_.leave);
    }
    for (uint32_t clause : clauses) {
      V activity = b_.load_volatile32(b_.map("ds_state"));
      b_.leave_if(b_.ir.CreateICmpNE(activity, b_.number32(expected_activity)), frame_.leave);
      emit_clause(clause);
    }
    b_.ir.CreateBr(frame_.leave);
    finish_frame();
  });
}

void Emitter::emit_error_function(BpfContext kind) {
  llvm::Function* function = error_function(kind);
  if (!function->empty()) return;
  in_function(function, [&] { emit_error_clauses(function, kind); });
}

void Emitter::emit_error_clauses(llvm::Function* function, BpfContext kind) {
  uint32_t row = 0;
  while (layout_.row_probes[row]->name != "ERROR" || layout_.row_probes[row]->provider != "dtrace") ++row;
  frame_ = {.function = function,
            .kind = kind,
            .context = function->getArg(0),
            .row = b_.number32(row),
            .constant_row = row,
            .rows = {row},
            .is_error = true,
            .is_subprogram = true};
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  // A pass-through instruction, so that slot has the same kind in both frames.
  frame_.slot = llvm::cast<llvm::Instruction>(b_.ir.CreateFreeze(function->getArg(1), "slot"));
  V where = function->getArg(2), what = function->getArg(3);
  V faulted_row = b_.ir.CreateAnd(what, b_.number(0xffffffff));
  std::vector<uint32_t> ids;
  for (const ProbePlan& probe : plan_.probes) ids.push_back(probe.id);
  b_.leave_if(b_.ir.CreateICmpUGE(faulted_row, b_.number(ids.size())), frame_.leave);
  frame_.error_arguments[0] = b_.number(0);
  frame_.error_arguments[1] =
      b_.load(b_.at(b_.constant_words32(ids, "probe_ids"), b_.ir.CreateShl(faulted_row, b_.number(2))), 4, false);
  frame_.error_arguments[2] = b_.ir.CreateLShr(where, b_.number(32));
  frame_.error_arguments[3] = b_.ir.CreateAdd(b_.ir.CreateAnd(where, b_.number(0xffffffff)), b_.number(1));
  frame_.error_arguments[4] = b_.ir.CreateLShr(what, b_.number(32));
  frame_.error_arguments[5] = function->getArg(4);
  for (uint32_t clause : layout_.error_clauses) emit_clause(clause);
  b_.ir.CreateBr(frame_.leave);
  finish_frame();
}

IrModule lower(const SourceSet& sources, const Semantics& meaning, const CompiledPlan& compiled,
               const LowerOptions& options) {
  IrModule ir;
  Emitter(sources, meaning, compiled, options, ir).run();
  return ir;
}

void complete_plan(ProgramPlan& plan, const IrModule& ir) {
  plan.fault_sites = ir.fault_sites;
  std::erase_if(plan.maps, [](const MapPlan& map) { return map.name == "ds_scratch"; });
  if (ir.scratch_size != 0)
    plan.maps.push_back({.name = "ds_scratch",
                         .kind = MapKind::PerCpuArray,
                         .key_size = 4,
                         .value_size = ir.scratch_size,
                         .max_entries = scratch_slots});
}

std::string print_ir(IrModule& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ir.module().print(stream, nullptr);
  return text;
}

std::string verify_ir(IrModule& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return llvm::verifyModule(ir.module(), &stream) ? text : "";
}

}  // namespace dscope
