#include "codegen/lower/programs/clauses.h"

#include "codegen/lower/actions/actions.h"
#include "codegen/lower/actions/aggregations.h"
#include "codegen/lower/actions/records.h"
#include "codegen/lower/actions/speculation.h"
#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/probe/arguments.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/programs/scratch_slot.h"
#include "codegen/lower/values/expressions.h"
#include "frontend/semantics/walk.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr size_t max_block_instructions = 64;  // IR instructions

}  // namespace

void Clauses::emit_clause(uint32_t number) {
  state_.clause = &meaning_.clauses[number];
  state_.clause_plan = &plan_.clauses[number];
  state_.next_clause = b_.block("next_clause");
  SourceRange description = state_.clause->clause->probes[state_.clause->specifier].at.range;
  core_.locate(description);
  records_.begin_clause();
  state_.cache = state_.firing;
  state_.clause_start = b_.ir.GetInsertBlock();
  state_.known = {};
  expressions_.begin_clause();
  scratch_.begin_clause();
  alloca_memory_.begin_clause();
  if (const DerivedProbe* probe = arguments_.derived_probe(); probe != nullptr)
    arguments_.with_derivation([&] { emit_predicate(probe->instance.clause->predicate); });
  emit_predicate(state_.clause->clause->predicate);
  core_.locate(description);
  speculation_.begin_clause();
  if (state_.clause_plan->sends_records() && !speculation_.reserves_when_speculating()) records_.reserve();
  emit_body(state_.clause->clause->body);
  if (state_.record != nullptr) records_.submit();
  b_.ir.CreateBr(state_.next_clause);
  b_.start(state_.next_clause);
  core_.locate(description);
}

void Clauses::emit_predicate(const Expr* predicate) {
  if (predicate == nullptr) return;
  core_.locate(predicate->at.range);
  V holds = expressions_.condition(*predicate);
  auto* body = b_.block("body");
  b_.ir.CreateCondBr(holds, body, state_.next_clause);
  b_.start(body);
}

void Clauses::emit_body(const std::vector<Statement*>& body) {
  for (const Statement* statement : body) {
    core_.locate(statement->at.range);
    if (state_.has_many_joins) b_.clobber_memory();
    uint32_t temporaries = scratch_.temporary_end();
    std::visit(Overloaded{[&](const ExprStatement& form) { emit_statement(*form.expr); },
                          [&](const IfStatement& form) { emit_if(form); }},
               statement->form);
    scratch_.release_temporaries(temporaries);
    split_long_block();
  }
}

// LLVM's back end takes quadratic time in the length of a block, so a jump that is never taken splits a long one. The
// verifier knows the constant and follows one path only.
void Clauses::split_long_block() {
  if (b_.ir.GetInsertBlock()->size() < max_block_instructions) return;
  auto* never = b_.block("never");
  auto* next = b_.block("next");
  b_.ir.CreateCondBr(b_.ir.CreateICmpNE(b_.pin(b_.number(0)), b_.number(0)), never, next);
  b_.start(never);
  faults_.discard_record();
  b_.ir.CreateBr(state_.next_clause);
  b_.start(next);
}

void Clauses::emit_if(const IfStatement& statement) {
  if (const ExprInfo& condition = info(*statement.condition); condition.constant)
    return emit_body(core_.fixed_constant(condition) != 0 ? statement.then_body : statement.else_body);
  V holds = expressions_.condition(*statement.condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  b_.start(then_block);
  core_.conditionally([&] { emit_body(statement.then_body); });
  b_.ir.CreateBr(after);
  b_.start(else_block);
  core_.conditionally([&] { emit_body(statement.else_body); });
  b_.ir.CreateBr(after);
  b_.start(after);
}

void Clauses::emit_statement(const Expr& expr) {
  if (const auto aggregating = aggregating_statement(meaning_, *state_.clause, expr))
    return aggregations_.aggregate(expr, *aggregating);
  if (const Call* call = action_call(meaning_, *state_.clause, expr))
    return actions_.emit(expr, *call, std::get<Action>(info(expr).binding));
  if (const auto* comma = std::get_if<Comma>(&expr.form)) {
    emit_statement(*comma->lhs);
    return emit_statement(*comma->rhs);
  }
  const auto* ternary = std::get_if<Ternary>(&expr.form);
  if (ternary == nullptr) return expressions_.evaluate(expr);
  if (const ExprInfo& condition = info(*ternary->condition); condition.constant)
    return emit_statement(core_.fixed_constant(condition) != 0 ? *ternary->then_value : *ternary->else_value);
  V holds = expressions_.condition(*ternary->condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  b_.start(then_block);
  core_.conditionally([&] { emit_statement(*ternary->then_value); });
  b_.ir.CreateBr(after);
  b_.start(else_block);
  core_.conditionally([&] { emit_statement(*ternary->else_value); });
  b_.ir.CreateBr(after);
  b_.start(after);
}

}  // namespace dscope
