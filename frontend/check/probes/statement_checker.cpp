#include "frontend/check/probes/statement_checker.h"

#include <algorithm>

#include "frontend/check/actions/action_checker.h"
#include "frontend/check/actions/aggregation_checker.h"
#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/pending_mistakes.h"

namespace dscope {

void StatementChecker::check(const std::vector<Statement*>& body, ClauseState& state) {
  for (const Statement* statement : body) {
    check_statement(*statement, state);
    if (failed()) return;
  }
}

void StatementChecker::check_statement(const Statement& statement, ClauseState& state) {
  context_.statement = &statement;
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) {
    bool is_destructive = pending_.has_destructive_call(statement);
    if (is_destructive) check_recording_order(form->expr->at, ActionEffect::Destructive, state);
    if (!failed()) check_effects(*form->expr, state);
    if (!failed()) pending_.report_deferred(&statement);
    return;
  }
  const auto& form = std::get<IfStatement>(statement.form);
  pending_.report_deferred(&statement);
  auto condition = info(*form.condition).constant;
  const ClauseState before = state;
  for (bool is_then : {true, false}) {
    ClauseState branch = before.in_branch();
    branch.is_live = before.is_live && (!condition || (*condition != 0) == is_then);
    check(is_then ? form.then_body : form.else_body, branch);
    if (failed()) return;
    state.add_branch(branch);
  }
}

void StatementChecker::check_effects(const Expr& expr, ClauseState& state) {
  ExprInfo result = info(expr);
  if (const auto* ternary = std::get_if<Ternary>(&expr.form)) {
    auto condition = info(*ternary->condition).constant;
    if (!condition || *condition != 0) check_effects(*ternary->then_value, state);
    if (!failed() && (!condition || *condition == 0)) check_effects(*ternary->else_value, state);
  } else if (const auto* comma = std::get_if<Comma>(&expr.form)) {
    check_effects(*comma->lhs, state);
    if (!failed()) check_effects(*comma->rhs, state);
  } else if (const auto* assign = std::get_if<Assign>(&expr.form)) {
    if (aggregation_target(*assign->lhs) == nullptr) return;
    check_aggregation_order(expr.at, state);
    if (!failed()) aggregation_checker_.check(*assign);
  } else if (const auto* call = std::get_if<Call>(&expr.form)) {
    const auto* action = std::get_if<Action>(&result.binding);
    if (action == nullptr) return;
    check_order(expr.at, *action, state);
    if (!failed()) actions_.check(expr, *call, *action);
  }
}

// The table of d-language.md 7.4. Actions in the other branch of an `if` come neither before nor after.
void StatementChecker::check_order(const Position& at, Action action, ClauseState& state) {
  ActionEffect effect = row(action).effect;
  if (effect == ActionEffect::Speculative) return check_speculation_order(at, action, state);
  if (state.has_speculated && action == Action::Exit) fail(Tag::D_EXIT_SPEC, at, "exit( ) may not follow speculate( )");
  check_recording_order(at, effect, state);
}

void StatementChecker::check_speculation_order(const Position& at, Action action, ClauseState& state) {
  if (action == Action::Discard) return;
  bool is_commit = action == Action::Commit;
  if (is_commit) {
    if (state.has_recorded_here) fail(Tag::D_COMM_DREC, at, "commit( ) may not follow data-recording action(s)");
  } else {
    if (state.has_recorded) fail(Tag::D_SPEC_DREC, at, "speculate( ) may not follow data-recording action(s)");
    if (state.has_committed) fail(Tag::D_SPEC_COMM, at, "speculate( ) may not follow commit( )");
    if (state.has_speculated) fail(Tag::D_SPEC_SPEC, at, "speculate( ) may not follow speculate( )");
  }
  if (state.is_live) (is_commit ? state.has_committed : state.has_speculated) = true;
}

void StatementChecker::check_recording_order(const Position& at, ActionEffect effect, ClauseState& state) {
  bool is_destructive = effect == ActionEffect::Destructive;
  if (state.has_speculated && is_destructive)
    fail(Tag::D_ACT_SPEC, at, "destructive actions may not follow speculate( )");
  if (state.has_committed || state.may_have_committed)
    fail(Tag::D_DREC_COMM, at, "data-recording actions may not follow commit( )");
  if (!state.is_live) return;
  state.has_recorded = state.has_recorded_here = true;
  context_.instance->has_record = true;
  if (is_destructive) context_.instance->is_destructive = true;
}

void StatementChecker::check_aggregation_order(const Position& at, ClauseState& state) {
  if (state.has_committed) fail(Tag::D_AGG_COMM, at, "aggregating actions may not follow commit( )");
  if (state.has_speculated) fail(Tag::D_AGG_SPEC, at, "aggregating actions may not follow speculate( )");
  if (state.is_live) state.has_recorded = state.has_recorded_here = true;
}

}  // namespace dscope
