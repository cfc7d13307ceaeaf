// Clauses and statements: predicate, record, body; and what happens when something in them faults.
#include "codegen/lower/emitter.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t longest_block = 64;  // IR instructions

}  // namespace

void Emitter::emit_clause(uint32_t number) {
  clause_ = &meaning_.clauses[number];
  clause_plan_ = &plan_.clauses[number];
  next_clause_ = b_.block("next_clause");
  record_ = nullptr;
  has_exit_ = false;
  cache_ = state_.firing;
  state_.clause_start = b_.ir.GetInsertBlock();
  state_.known = {};
  value_numbers_.forget();
  temporary_end_ = first_temporary_;
  if (alloca_used_ != nullptr && !is_solaris_mode()) b_.ir.CreateStore(b_.number(0), alloca_used_);
  if (const DerivedProbe* probe = derived_probe(); probe != nullptr)
    as_derived([&] { emit_predicate(probe->instance.clause->predicate); });
  emit_predicate(clause_->clause->predicate);
  start_speculating();
  if (clause_plan_->sends_records() && !reserves_when_speculating()) reserve_record();
  emit_body(clause_->clause->body);
  if (record_ != nullptr) submit_record();
  b_.ir.CreateBr(next_clause_);
  b_.start(next_clause_);
}

void Emitter::emit_predicate(const Expr* predicate) {
  if (predicate == nullptr) return;
  locate(predicate->at.range);
  V holds = condition(*predicate);
  auto* body = b_.block("body");
  b_.ir.CreateCondBr(holds, body, next_clause_);
  b_.start(body);
}

void Emitter::emit_body(const std::vector<Statement*>& body) {
  for (const Statement* statement : body) {
    locate(statement->at.range);
    if (state_.is_complex) b_.forget_memory();
    uint32_t temporaries = temporary_end_;
    std::visit(Overloaded{[&](const ExprStatement& form) { emit_statement(*form.expr); },
                          [&](const IfStatement& form) { emit_if(form); }},
               statement->form);
    temporary_end_ = temporaries;
    split_long_block();
  }
}

// LLVM's back end takes quadratic time over straight code: a jump that is never taken ends a block that grows long.
// The verifier sees the constant and follows one way only.
void Emitter::split_long_block() {
  if (b_.ir.GetInsertBlock()->size() < longest_block) return;
  auto* never = b_.block("never");
  auto* on = b_.block("on");
  b_.ir.CreateCondBr(b_.ir.CreateICmpNE(b_.guarded(b_.number(0)), b_.number(0)), never, on);
  b_.start(never);
  discard_record();
  b_.ir.CreateBr(next_clause_);
  b_.start(on);
}

void Emitter::emit_if(const IfStatement& statement) {
  if (const auto& constant = info(*statement.condition).constant)
    return emit_body(*constant != 0 ? statement.then_body : statement.else_body);
  V holds = condition(*statement.condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  b_.start(then_block);
  conditionally([&] { emit_body(statement.then_body); });
  b_.ir.CreateBr(after);
  b_.start(else_block);
  conditionally([&] { emit_body(statement.else_body); });
  b_.ir.CreateBr(after);
  b_.start(after);
}

void Emitter::emit_statement(const Expr& expr) {
  if (const auto aggregating = aggregating_statement(meaning_, *clause_, expr)) return aggregate(expr, *aggregating);
  if (const Call* call = action_call(meaning_, *clause_, expr))
    return emit_action(expr, *call, std::get<Action>(info(expr).binding));
  if (const auto* comma = std::get_if<Comma>(&expr.form)) {
    emit_statement(*comma->lhs);
    return emit_statement(*comma->rhs);
  }
  const auto* ternary = std::get_if<Ternary>(&expr.form);
  if (ternary == nullptr) return evaluate(expr);
  if (const auto& constant = info(*ternary->condition).constant)
    return emit_statement(*constant != 0 ? *ternary->then_value : *ternary->else_value);
  V holds = condition(*ternary->condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  b_.start(then_block);
  conditionally([&] { emit_statement(*ternary->then_value); });
  b_.ir.CreateBr(after);
  b_.start(else_block);
  conditionally([&] { emit_statement(*ternary->else_value); });
  b_.ir.CreateBr(after);
  b_.start(after);
}

uint32_t Emitter::fault_site(const Expr& at) {
  SourceLocation place = sources_.locate(at.at.range.begin);
  SourcePlace site{.unit = sources_.unit(place.unit).name,
                   .line = at.at.line != 0 ? at.at.line : place.line,
                   .column = place.column,
                   .text = std::string(place.line_text)};
  out_.fault_sites.push_back(std::move(site));
  return static_cast<uint32_t>(out_.fault_sites.size() - 1);
}

// Ends the clause here: reports, runs the ERROR clauses, throws the record away. Building goes on in no block: the
// caller starts the next one.
void Emitter::fault(uint32_t code, V value, const Expr& at) {
  discard_record();
  if (frame_.is_error) {
    count(offsetof(ds_counters, double_faults));
  } else {
    uint64_t where = uint64_t{clause_plan_->number} << 32 | fault_site(at);
    V row = b_.ir.CreateZExt(frame_.row, b_.i64);
    V what = b_.ir.CreateOr(b_.number(uint64_t{code} << 32), row);
    b_.ir.CreateCall(fault_function(), {b_.number(where), what, value});
    if (!layout_.error_clauses.empty()) {
      emit_error_function(frame_.kind);
      llvm::Function* function = error_function(frame_.kind);
      b_.ir.CreateCall(function, {frame_.context, slot_for(function), b_.number(where), what, value});
    }
  }
  b_.ir.CreateBr(next_clause_);
}

void Emitter::locate(SourceRange range) {
  state_.range = range;
  if (debug_ != nullptr) b_.ir.SetCurrentDebugLocation(debug_->location(*b_.function(), range));
}

void Emitter::describe_function(llvm::Function* function, SourceRange range) {
  if (debug_ != nullptr) debug_->add_function(*function, range);
  locate(range);
}

// Guarded before the test, or LLVM may test a 32-bit half that says nothing to the verifier; and behind it.
V Emitter::bounded(V index, uint64_t limit, uint32_t code, const Expr& at) {
  index = b_.guarded(index);
  fault_if(b_.ir.CreateICmpUGE(index, b_.number(limit)), code, index, at);
  return limit != 0 && limit <= (1ULL << 31) ? b_.guarded_below(index, limit) : b_.guarded(index);
}

void Emitter::fault_if(V condition, uint32_t code, V value, const Expr& at) {
  auto* faulting = b_.block("fault");
  auto* on = b_.block("on");
  b_.ir.CreateCondBr(condition, faulting, on);
  b_.start(faulting);
  conditionally([&] { fault(code, value, at); });
  b_.start(on);
}

}  // namespace dscope
