#include "codegen/lower/programs/faults.h"

#include "codegen/lower/actions/ring.h"
#include "codegen/lower/programs/clauses.h"
#include "codegen/lower/programs/counters.h"
#include "codegen/lower/programs/functions.h"

namespace dscope {

uint32_t Faults::fault_site(const Expr& at, bool reads_kernel) {
  SourceLocation location = core_.sources.locate(at.at.range.begin);
  PlanPosition site{.unit = core_.sources.unit(location.unit).name,
                    .line = at.at.line != 0 ? at.at.line : location.line,
                    .column = location.column,
                    .text = std::string(location.line_text),
                    .reads_kernel = reads_kernel};
  core_.out.fault_sites.push_back(std::move(site));
  return static_cast<uint32_t>(core_.out.fault_sites.size() - 1);
}

void Faults::fault(uint32_t code, V value, const Expr& at) {
  // Faults in ERROR clauses are only counted.
  fault_at(frame_.is_error ? 0 : fault_site(at), code, value);
}

// Ends the clause here: discards the record, reports the fault, and runs the ERROR clauses. The current block is then
// complete, and the caller starts the next one.
void Faults::fault_at(uint32_t site, uint32_t code, V value) {
  discard_record();
  if (frame_.is_error) {
    counters_.count(offsetof(ds_counters, double_faults));
  } else {
    uint64_t where = uint64_t{state_.clause_plan->number} << 32 | site;
    V row = b_.ir.CreateZExt(frame_.row, b_.i64);
    V cause = b_.ir.CreateOr(b_.number(uint64_t{code} << 32), row);
    b_.ir.CreateCall(fault_function(), {b_.number(where), cause, value});
    if (!layout_.error_clauses.empty()) {
      emit_error_function(frame_.kind);
      llvm::Function* function = error_function(frame_.kind);
      b_.ir.CreateCall(function, {frame_.context, functions_.slot_for(function), b_.number(where), cause, value});
    }
  }
  b_.ir.CreateBr(state_.next_clause);
}

// Pins the index twice. Without the first pin, LLVM may test a 32-bit half, from which the verifier learns nothing. The
// second one keeps uses of the index behind the test.
V Faults::bounded(V index, const MachineNumber& bound, uint32_t code, const Expr& at) {
  index = b_.pin(index);
  fault_if(b_.ir.CreateICmpUGE(index, b_.number(bound)), code, index, at);
  if (bound.index) return b_.pin(index);
  uint64_t limit = bound.now;
  return limit != 0 && limit <= (1ULL << 31) ? b_.pin_below(index, limit) : b_.pin(index);
}

void Faults::fault_if(V condition, uint32_t code, V value, const Expr& at) {
  fault_if_at(frame_.is_error ? 0 : fault_site(at), condition, code, value);
}

void Faults::read_fault_if(V has_failed, Space space, V address, const Expr& at) {
  uint32_t site = frame_.is_error ? 0 : fault_site(at, space != Space::User);
  fault_if_at(site, has_failed, DS_FAULT_BADADDR, address);
}

void Faults::fault_if_at(uint32_t site, V condition, uint32_t code, V value) {
  auto* faulting = b_.block("fault");
  auto* next = b_.block("next");
  b_.ir.CreateCondBr(condition, faulting, next);
  b_.start(faulting);
  core_.conditionally([&] { fault_at(site, code, value); });
  b_.start(next);
}

// ds_report_fault(clause << 32 | site, code << 32 | row, value): writes a ds_fault_record. Not inlined, because faults
// are rare.
llvm::Function* Faults::fault_function() {
  if (fault_function_ != nullptr) return fault_function_;
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.i64, b_.i64, b_.i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "ds_report_fault", b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  auto saved = b_.ir.saveIP();
  b_.start(llvm::BasicBlock::Create(b_.module().getContext(), "entry", function));
  SourceRange range = state_.range;
  core_.describe_function(function, range);
  auto* body = b_.block("body");
  b_.ir.CreateBr(body);
  b_.start(body);
  auto* lost = b_.block("lost");
  V space = ring_.reserve(sizeof(ds_fault_record), lost);
  b_.branch_if(b_.is_zero(b_.to_number(space)), lost);
  V record = ring_.start_record(space);
  auto field = [&](size_t offset, V value) { b_.store(b_.at(record, offset), value, 4); };
  V where = function->getArg(0), cause = function->getArg(1);
  auto high = [&](V pair) { return b_.ir.CreateLShr(pair, b_.number(32)); };
  field(offsetof(ds_record_header, clause), b_.number(DS_RECORD_FAULT));
  field(offsetof(ds_record_header, probe_row), cause);
  field(offsetof(ds_record_header, cpu), b_.call(Helper::GetSmpProcessorId, {}));
  field(offsetof(ds_record_header, speculation), b_.number(0));
  field(offsetof(ds_fault_record, clause), high(where));
  field(offsetof(ds_fault_record, site), where);
  field(offsetof(ds_fault_record, code), high(cause));
  field(offsetof(ds_fault_record, reserved), b_.number(0));
  b_.store(b_.at(record, offsetof(ds_fault_record, value)), function->getArg(2), 8);
  ring_.submit(record, helper_flags::no_wakeup);
  b_.ir.CreateRetVoid();
  b_.start(lost);
  counters_.count(offsetof(ds_counters, fault_drops));
  b_.ir.CreateRetVoid();
  b_.ir.restoreIP(saved);
  core_.locate(range);
  return fault_function_ = function;
}

// The function of the ERROR clauses (context, scratch slot, clause << 32 | site, code << 32 | row, value). There is one
// per kind of context that they run in.
llvm::Function* Faults::error_function(BpfContext kind) {
  for (auto& [known, function] : error_functions_)
    if (known == kind) return function;
  auto* type = llvm::FunctionType::get(b_.void_type, {b_.ptr, b_.ptr, b_.i64, b_.i64, b_.i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                          fmt::format("ds_error_{}", static_cast<int>(kind)), b_.module());
  function->addFnAttr(llvm::Attribute::NoInline);
  error_functions_.emplace_back(kind, function);
  return function;
}

void Faults::emit_error_function(BpfContext kind) {
  llvm::Function* function = error_function(kind);
  if (!function->empty()) return;
  functions_.in_function(function, [&] { emit_error_clauses(function, kind); });
}

void Faults::emit_error_clauses(llvm::Function* function, BpfContext kind) {
  uint32_t row = 0;
  while (!has_role(*layout_.row_probes[row], HookTestRun::Role::Error)) ++row;
  V number = b_.number32(core_.machine_number(row, &layout_.row_probes));
  frame_ = {.kind = kind, .row = number, .constant_row = row, .rows = {row}, .is_error = true};
  functions_.enter_subprogram(function);
  V where = function->getArg(2), cause = function->getArg(3);
  V faulted_row = b_.ir.CreateAnd(cause, b_.number(0xffffffff));
  V row_count = b_.ir.CreateZExt(core_.row_count(), b_.i64);
  b_.branch_if(b_.ir.CreateICmpUGE(faulted_row, row_count), frame_.leave);
  frame_.error_arguments[0] = b_.number(0);
  V ids = core_.machine_table({.kind = MachineTable::ProbeIds}, "probe_ids");
  frame_.error_arguments[1] = b_.load(b_.at(ids, b_.ir.CreateShl(faulted_row, b_.number(2))), 4, false);
  frame_.error_arguments[2] = b_.ir.CreateLShr(where, b_.number(32));
  frame_.error_arguments[3] = b_.ir.CreateAdd(b_.ir.CreateAnd(where, b_.number(0xffffffff)), b_.number(1));
  frame_.error_arguments[4] = b_.ir.CreateLShr(cause, b_.number(32));
  frame_.error_arguments[5] = function->getArg(4);
  state_.has_many_joins = true;
  for (uint32_t clause : layout_.error_clauses) clauses_.emit_clause(clause);
  b_.ir.CreateBr(frame_.leave);
  functions_.finish_subprogram();
}

void Faults::discard_record() {
  if (state_.record != nullptr) ring_.discard(state_.record, helper_flags::no_wakeup);
}

void Faults::end_clause_if(V condition) {
  auto* end = b_.block("end");
  auto* next = b_.block("next");
  b_.ir.CreateCondBr(condition, end, next);
  b_.start(end);
  end_clause();
  b_.start(next);
}

void Faults::end_clause() {
  discard_record();
  b_.ir.CreateBr(state_.next_clause);
}

}  // namespace dscope
