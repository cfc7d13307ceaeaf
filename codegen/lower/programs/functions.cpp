// Functions beside the programs: clauses that are too many for one function, the ERROR clauses, reports of faults, and
// counting what was lost.
#include "codegen/lower/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t no_wakeup = 1;  // BPF_RB_NO_WAKEUP
constexpr size_t few_clauses = 16;

}  // namespace

// Such scripts have functions for what all clauses do: LLVM takes longer over another copy than the kernel over a call.
bool Emitter::has_many_clauses() const { return plan_.clauses.size() > few_clauses; }

// A function for all clauses, made when it is first called for. `emit` makes its body, and returns its result.
llvm::Function* Emitter::shared_function(const std::string& name, llvm::FunctionType* type,
                                         const std::function<V(llvm::Function*)>& emit) {
  llvm::Function*& function = shared_functions_[name];
  if (function != nullptr) return function;
  function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  Frame caller = frame_;
  in_function(function, [&] {
    frame_ = {.function = function, .kind = caller.kind, .program = caller.program};
    V result = emit(function);
    if (result == nullptr) b_.ir.CreateRetVoid();
    else b_.ir.CreateRet(result);
  });
  return function;
}

void Emitter::count(size_t counter_offset) {
  if (!has_many_clauses()) return count_here(b_.number(counter_offset));
  b_.ir.CreateCall(count_function(), {b_.number(counter_offset)});
}

V Emitter::own_counters() {
  auto* key = b_.shared_slot(4, "counter_key");
  b_.ir.CreateStore(b_.number32(0), key);
  return b_.lookup("ds_counters", key);
}

void Emitter::count_here(V counter_offset) {
  V counters = own_counters();
  auto* there = b_.block("count");
  auto* on = b_.block("counted");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(counters)), on, there);
  b_.start(there);
  V counter = b_.ir.CreateInBoundsGEP(b_.i8, counters, counter_offset);
  // Programs interrupt each other on a CPU: none of their losses may get lost as well.
  b_.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, b_.number(1), llvm::MaybeAlign(8),
                        llvm::AtomicOrdering::Monotonic);
  b_.ir.CreateBr(on);
  b_.start(on);
}

llvm::Function* Emitter::count_function() {
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.i64}, false);
  return shared_function("ds_count", type, [&](llvm::Function* function) -> V {
    auto* leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
    V offset = function->getArg(0);
    b_.leave_if(b_.ir.CreateICmpUGT(offset, b_.number(sizeof(ds_counters) - 8)), leave);
    count_here(b_.guarded(offset));
    b_.ir.CreateBr(leave);
    b_.start(leave);
    return nullptr;
  });
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
void Emitter::in_function(llvm::Function* function, const std::function<void()>& emit) {
  auto saved_ip = b_.ir.saveIP();
  FunctionState saved = std::exchange(state_, {});
  uint32_t saved_end = temporary_end_;
  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  describe_function(function, saved.range);
  auto* body = b_.block("body");
  b_.ir.CreateBr(body);  // the entry block is for stack slots alone
  b_.start(body);
  if (alloca_area_ != 0) begin_scratch();
  emit();
  state_ = std::move(saved);
  temporary_end_ = saved_end;
  b_.ir.restoreIP(saved_ip);
  locate(state_.range);
}

// Clauses as a function (context, scratch slot, row, list), called here: a program of many clauses would run out of
// stack if they all were one function. `emit` makes the body, which ends by jumping to frame_.leave. Where what is
// copied in stays for the next clauses, how much there is goes in and comes back.
void Emitter::emit_clause_function(const std::string& name, V list, const std::function<void(V)>& emit) {
  std::vector<llvm::Type*> parameters = {b_.ptr, b_.ptr, b_.i64, b_.i64};
  bool keeps_scratch = alloca_used_ != nullptr && is_solaris_mode();
  if (keeps_scratch) parameters.push_back(b_.i64);
  auto* type = llvm::FunctionType::get(keeps_scratch ? b_.i64 : b_.void_type, parameters, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  Frame caller = frame_;
  in_function(function, [&] {
    frame_ = caller;
    enter_subprogram(function);
    if (keeps_scratch) b_.ir.CreateStore(function->getArg(4), alloca_used_);
    if (frame_.iterator != nullptr) find_object(frame_.leave);
    if (!frame_.constant_row) {
      frame_.row = b_.ir.CreateTrunc(function->getArg(2), b_.i32);
      b_.leave_if(b_.ir.CreateICmpUGE(frame_.row, b_.number32(static_cast<uint32_t>(plan_.probes.size()))),
                  frame_.leave);
    }
    emit(b_.ir.CreateTrunc(function->getArg(3), b_.i32));
    finish_subprogram();
  });
  std::vector<V> arguments = {frame_.context, slot_for(function), b_.ir.CreateZExt(frame_.row, b_.i64),
                              b_.ir.CreateZExt(list, b_.i64)};
  if (keeps_scratch) arguments.push_back(b_.ir.CreateLoad(b_.i64, alloca_used_));
  V used = b_.ir.CreateCall(function, arguments);
  if (keeps_scratch) b_.ir.CreateStore(used, alloca_used_);
}

void Emitter::enter_subprogram(llvm::Function* function) {
  frame_.function = function;
  frame_.context = function->getArg(0);
  frame_.is_subprogram = true;
  frame_.leave = llvm::BasicBlock::Create(b_.module().getContext(), "leave", function);
  // A pass-through instruction, so that slot has the same kind in all frames.
  frame_.slot = llvm::cast<llvm::Instruction>(b_.ir.CreateFreeze(function->getArg(1), "slot"));
}

// A function that has no use for the scratch slot does not make its callers claim one.
void Emitter::finish_subprogram() {
  b_.start(frame_.leave);
  if (frame_.function->getReturnType()->isVoidTy()) b_.ir.CreateRetVoid();
  else b_.ir.CreateRet(b_.ir.CreateLoad(b_.i64, alloca_used_));
  if (!frame_.slot->use_empty()) return;
  frame_.slot->eraseFromParent();
  slotless_functions_.insert(frame_.function);
}

V Emitter::slot_for(llvm::Function* function) {
  if (slotless_functions_.contains(function))
    return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(b_.ptr));
  return frame_.slot;
}

void Emitter::emit_error_function(BpfContext kind) {
  llvm::Function* function = error_function(kind);
  if (!function->empty()) return;
  in_function(function, [&] { emit_error_clauses(function, kind); });
}

void Emitter::emit_error_clauses(llvm::Function* function, BpfContext kind) {
  uint32_t row = 0;
  while (layout_.row_probes[row]->name != "ERROR" || layout_.row_probes[row]->provider != "dtrace") ++row;
  frame_ = {.kind = kind, .row = b_.number32(row), .constant_row = row, .rows = {row}, .is_error = true};
  enter_subprogram(function);
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
  state_.is_complex = true;
  for (uint32_t clause : layout_.error_clauses) emit_clause(clause);
  b_.ir.CreateBr(frame_.leave);
  finish_subprogram();
}

}  // namespace dscope
