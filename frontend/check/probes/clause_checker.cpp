// Clauses: binding to probes, typing of predicate and action list, order rules (d-language.md 5.3, 7.4), and whether
// the clause records (consumer-and-actions.md 1.6).
#include <algorithm>

#include "contract/follow.h"
#include "contract/process_provider.h"
#include "frontend/check/checker.h"

namespace dscope {
namespace {

bool is_of_process(const Probe* probe) {
  if (is_of_all_processes(probe->provider)) return true;
  const auto* uprobe = std::get_if<HookUprobe>(probe->sites.empty() ? &probe->hook : &probe->sites.front().hook);
  return uprobe != nullptr && uprobe->pid != 0;
}

ProbeDescription name_of(const Probe& probe) {
  return {.provider = probe.provider, .module = probe.module, .function = probe.function, .name = probe.name};
}

}  // namespace

void Checker::check_clause(const External& external, const Clause& clause) {
  for (size_t i = 0; i < clause.probes.size() && !failed(); ++i) {
    ClauseInstance instance{.number = static_cast<uint32_t>(meaning_.clauses.size()),
                            .clause = &clause,
                            .specifier = static_cast<uint32_t>(i)};
    if (!bind_probes(clause, clause.probes[i], instance)) return;
    while (!check_some(external, std::move(instance))) instance = rest_of(meaning_.clauses.back());
  }
}

// Whether that were all probes of the description: args[] of some may be made of other things than those of others.
bool Checker::check_some(const External& external, ClauseInstance instance) {
  put_off_.clear();
  check_instance(instance, external.at);
  if (!failed()) leave_unavailable(instance.clause->probes[instance.specifier], instance);
  if (failed()) return true;
  meaning_.clauses.push_back(std::move(instance));
  return put_off_.empty();
}

ClauseInstance Checker::rest_of(const ClauseInstance& instance) {
  ClauseInstance rest{.number = static_cast<uint32_t>(meaning_.clauses.size()),
                      .clause = instance.clause,
                      .specifier = instance.specifier,
                      .description = instance.description,
                      .probes = put_off_};
  rest.infos.resize(instance.infos.size());
  return rest;
}

bool Checker::bind_probes(const Clause& clause, const ProbeSpecifier& specifier, ClauseInstance& instance) {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  ProbeDescription description = description_of(specifier);
  description.is_solaris_mode = meaning_.is_solaris_mode;
  instance.probes = host_.match(description);
  // If none can fire here the clause gets its types from those that cannot: other mistakes are told first.
  if (std::ranges::any_of(instance.probes, &Probe::is_available))
    std::erase_if(instance.probes, [](const Probe* probe) { return !probe->is_available; });
  instance.infos.resize(clause.end_node.index - clause.first_node.index);
  instance.description = to_string(description);
  if (instance.probes.empty()) {
    if (!may_match_nothing()) no_probes(specifier, description);
  } else if (specifier.id) {
    instance.description = to_string(name_of(*instance.probes.front()));
  }
  for (const Probe* probe : instance.probes) derive(*probe);
  bool are_of_process = std::ranges::any_of(instance.probes, is_of_process);
  instance.gains_probes = may_gain_probes(options_) && (are_of_process || host_.may_gain_by_modules(description));
  if (!failed()) require_attributes(specifier, instance);
  return !failed();
}

void Checker::no_probes(const ProbeSpecifier& specifier, const ProbeDescription& description) {
  if (auto mistake = host_.mistake(description)) {
    fail(mistake->tag, specifier.at, "{}", mistake->message);
    return;
  }
  fail(Tag::D_PDESC_ZERO, specifier.at, "probe description {} does not match any probes", to_string(description));
  std::string reason = host_.why_missing(description);
  if (!reason.empty()) diagnostics_.hint(std::move(reason));
}

bool Checker::may_match_nothing() const {
  return unit_rules_.allows_unmatched.value_or(options_.is_on(OptionId::Zdefs));
}

// Probes that can be listed here but not fire.
void Checker::leave_unavailable(const ProbeSpecifier& specifier, ClauseInstance& instance) {
  if (instance.probes.empty() || instance.probes.front()->is_available) return;
  ProbeDescription listed = name_of(*instance.probes.front());
  ProbeDescription written = specifier.id ? listed : description_of(specifier);
  instance.probes.clear();
  if (may_match_nothing()) return;
  std::string reason = host_.why_missing(written);
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  fail(Tag::D_PDESC_ZERO, specifier.at, "probe description {} does not match any probes that can fire here: {}",
       to_string(written), reason.empty() ? host_.why_missing(listed) : reason);
}

void Checker::check_instance(ClauseInstance& instance, const Position& end) {
  instance_ = &instance;
  start_typing();
  const Clause& clause = *instance.clause;
  type_instance(clause, end);
  if (!failed()) {
    diagnostics_.set_phase(DiagnosticPhase::ActionList);
    instance.has_record = clause.body.empty();
    ClauseState state;
    check_statements(clause.body, state);
    // Only predicates have no statement: what was put off in them comes last.
    report_deferred(nullptr);
    report_unavailable();
    instance.has_record = instance.has_record || state.has_speculated;
    instance.never_runs = clause.predicate != nullptr && info(*clause.predicate).constant == uint64_t{0};
  }
  instance_ = nullptr;
}

void Checker::start_typing() {
  signature_.reset();
  deferred_.clear();
  unavailable_.reset();
  destructive_calls_.clear();
  pointee_changes_.clear();
  statement_ = nullptr;
}

namespace {

bool is_undefined_name(Tag tag) { return tag == Tag::D_IDENT_UNDEF || tag == Tag::D_VAR_UNDEF; }

}  // namespace

// The action list comes first, so that a predicate may use what it creates; if a name is missing, the other way round.
void Checker::type_instance(const Clause& clause, const Position& end) {
  Checkpoint before = checkpoint();
  type_body(clause);
  if (!failed()) type_predicate(clause, end);
  if (!failed() || clause.predicate == nullptr || !is_undefined_name(diagnostics_.first().tag)) return;
  Diagnostic original = diagnostics_.first();
  diagnostics_.clear();
  roll_back(before);
  std::fill(instance_->infos.begin(), instance_->infos.end(), ExprInfo{});
  start_typing();
  type_predicate(clause, end);
  if (!failed()) type_body(clause);
  if (!failed()) return;
  diagnostics_.clear();
  diagnostics_.add(std::move(original));
}

// All names are known by now: the order does not matter, and the actions need no second look.
void Checker::type_again(ClauseInstance& instance) {
  instance_ = &instance;
  start_typing();
  type_body(*instance.clause);
  if (!failed()) type_predicate(*instance.clause, {});
  instance_ = nullptr;
}

void Checker::type_body(const Clause& clause) {
  diagnostics_.set_phase(DiagnosticPhase::ActionList);
  type_statements(clause.body);
  statement_ = nullptr;
}

void Checker::type_predicate(const Clause& clause, const Position& end) {
  if (clause.predicate == nullptr) return;
  diagnostics_.set_phase(DiagnosticPhase::Predicate);
  ExprInfo result = check_condition(*clause.predicate);
  if (failed() || is_error(result) || types_.is_scalar(result.type)) return;
  Position at = clause.predicate->at;
  at.line = end.line;
  at.file = end.file;
  fail(Tag::D_PRED_SCALAR, at, "predicate must be of scalar type, not {}", types_.spell(result.type));
  if (types_.is_string(result.type)) diagnostics_.hint("compare it with the text you look for: `execname == \"bash\"`");
}

Checker::Checkpoint Checker::checkpoint() const {
  return {.variables = meaning_.variables.size(),
          .aggregations = meaning_.aggregations.size(),
          .pointees = pointee_changes_.size()};
}

void Checker::roll_back(const Checkpoint& before) {
  for (; pointee_changes_.size() > before.pointees; pointee_changes_.pop_back()) {
    const PointeeChange& change = pointee_changes_.back();
    meaning_.variables[change.variable.index].pointee = change.before;
  }
  for (; meaning_.variables.size() > before.variables; meaning_.variables.pop_back()) {
    const Variable& variable = meaning_.variables.back();
    if (variable.scope == VariableScope::Global) globals_.erase(variable.name);
    else locals(variable.scope).erase(variable.name);
  }
  pointee_read_.resize(meaning_.variables.size());
  for (; meaning_.aggregations.size() > before.aggregations; meaning_.aggregations.pop_back())
    aggregations_.erase(meaning_.aggregations.back().name);
}

// ---------------------------------------------------------------- statements: types

void Checker::type_statements(const std::vector<Statement*>& body) {
  for (const Statement* statement : body) {
    type_statement(*statement);
    if (failed()) return;
  }
}

void Checker::type_statement(const Statement& statement) {
  statement_ = &statement;
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) {
    type_statement_expr(*form->expr);
    return;
  }
  const auto& form = std::get<IfStatement>(statement.form);
  ExprInfo condition = check_condition(*form.condition);
  if (failed()) return;
  if (!is_error(condition) && !types_.is_scalar(condition.type)) {
    fail(Tag::D_OP_SCALAR, form.condition->at, "condition of if must be of scalar type, not {}",
         types_.spell(condition.type));
    return;
  }
  type_statements(form.then_body);
  if (!failed()) type_statements(form.else_body);
}

ExprInfo Checker::type_statement_expr(const Expr& expr) {
  const Expr* target = &expr;
  if (const auto* index = std::get_if<Index>(&expr.form)) target = index->base;
  if (const auto* reference = std::get_if<AggregationRef>(&target->form))
    return fail(Tag::D_AGG_NULL, expr.at, "expression has null effect: @{}", reference->name);
  if (const auto* assign = std::get_if<Assign>(&expr.form))
    if (const AggregationRef* reference = aggregation_target(*assign->lhs); reference && !assign->op)
      return store(expr, type_aggregation(expr, *assign, *reference));
  if (const auto* ternary = std::get_if<Ternary>(&expr.form))
    if (acts(*ternary->then_value) || acts(*ternary->else_value)) return type_statement_ternary(expr, *ternary);
  if (std::holds_alternative<Comma>(expr.form) && acts(expr) && !has_bare_action(expr)) return type_branch(expr);
  placed_call_ = &expr;
  action_place_ = ActionPlace::Statement;
  ExprInfo result = check(expr);
  if (result.translated != nullptr)
    return fail(Tag::D_CG_DYN, expr.at, "expression cannot evaluate to a translated {}",
                types_.spell(type_of_object(*result.translated)));
  return result;
}

// A statement `c ? printf(...) : 1` is an if/else. With a constant condition only the branch taken has to make sense:
// scripts written as shell wrappers choose their output so. The value is not used, so the branches need not agree.
ExprInfo Checker::type_statement_ternary(const Expr& expr, const Ternary& ternary) {
  ExprInfo condition = check_condition(*ternary.condition);
  if (failed()) return {};
  if (!is_error(condition) && !types_.is_scalar(condition.type))
    return fail(Tag::D_OP_SCALAR, place(expr, *ternary.condition), "condition of ?: must be of scalar type, not {}",
                types_.spell(condition.type));
  if (condition.constant) {
    type_branch(*condition.constant != 0 ? *ternary.then_value : *ternary.else_value);
  } else {
    type_branch(*ternary.then_value);
    if (!failed()) type_branch(*ternary.else_value);
  }
  return store(expr, value(types_.void_type()));
}

// A branch may be a list of statements: c ? (printf("a"), @n = count()) : 1.
ExprInfo Checker::type_branch(const Expr& expr) {
  const auto* comma = std::get_if<Comma>(&expr.form);
  if (comma == nullptr) return type_statement_expr(expr);
  type_branch(*comma->lhs);
  if (!failed()) type_branch(*comma->rhs);
  return failed() ? ExprInfo{} : store(expr, value(types_.void_type()));
}

// An action that is itself an operand of the comma is refused, as D always did (D_OP_ACT).
bool Checker::has_bare_action(const Expr& expr) const {
  const auto* comma = std::get_if<Comma>(&expr.form);
  return comma != nullptr ? has_bare_action(*comma->lhs) || has_bare_action(*comma->rhs) : is_action_call(expr);
}

// Whether an operand of a statement has effects of its own, so that it is a statement rather than a value.
bool Checker::acts(const Expr& expr) const {
  if (const auto* ternary = std::get_if<Ternary>(&expr.form))
    return acts(*ternary->then_value) || acts(*ternary->else_value);
  if (const auto* comma = std::get_if<Comma>(&expr.form)) return acts(*comma->lhs) || acts(*comma->rhs);
  return std::holds_alternative<Assign>(expr.form) || is_action_call(expr);
}

bool Checker::is_action_call(const Expr& expr) const {
  const auto* call = std::get_if<Call>(&expr.form);
  const auto* name = call ? std::get_if<Name>(&call->callee->form) : nullptr;
  return name != nullptr && name->scope == VariableScope::Global &&
         std::holds_alternative<Action>(lookup_function(name->name));
}

// ---------------------------------------------------------------- statements: actions and their order

void Checker::check_statements(const std::vector<Statement*>& body, ClauseState& state) {
  for (const Statement* statement : body) {
    check_statement(*statement, state);
    if (failed()) return;
  }
}

void Checker::check_statement(const Statement& statement, ClauseState& state) {
  statement_ = &statement;
  if (const auto* form = std::get_if<ExprStatement>(&statement.form)) {
    bool is_destructive =
        std::find(destructive_calls_.begin(), destructive_calls_.end(), &statement) != destructive_calls_.end();
    if (is_destructive) check_order(form->expr->at, ActionEffect::Destructive, Action::System, state);
    if (!failed()) check_effects(*form->expr, state);
    if (!failed()) report_deferred(&statement);
    return;
  }
  const auto& form = std::get<IfStatement>(statement.form);
  report_deferred(&statement);
  auto condition = info(*form.condition).constant;
  const ClauseState before = state;
  for (bool is_then : {true, false}) {
    ClauseState branch = before.in_branch();
    branch.is_live = before.is_live && (!condition || (*condition != 0) == is_then);
    check_statements(is_then ? form.then_body : form.else_body, branch);
    if (failed()) return;
    state.add_branch(branch);
  }
}

void Checker::check_effects(const Expr& expr, ClauseState& state) {
  ExprInfo result = info(expr);
  if (const auto* ternary = std::get_if<Ternary>(&expr.form)) {
    auto condition = info(*ternary->condition).constant;
    if (!condition || *condition != 0) check_effects(*ternary->then_value, state);
    if (!failed() && (!condition || *condition == 0)) check_effects(*ternary->else_value, state);
  } else if (const auto* comma = std::get_if<Comma>(&expr.form)) {
    check_effects(*comma->lhs, state);
    if (!failed()) check_effects(*comma->rhs, state);
  } else if (const auto* assign = std::get_if<Assign>(&expr.form)) {
    if (aggregation_target(*assign->lhs) != nullptr) check_aggregating(expr, *assign, state);
  } else if (const auto* call = std::get_if<Call>(&expr.form)) {
    const auto* action = std::get_if<Action>(&result.binding);
    if (action == nullptr) return;
    check_order(expr.at, row(*action).effect, *action, state);
    if (!failed()) check_action(expr, *call, *action);
  }
}

// The table of d-language.md 7.4. What is in the other branch of an `if` comes neither before nor after.
void Checker::check_order(const Position& at, ActionEffect effect, Action action, ClauseState& state) {
  bool is_destructive = effect == ActionEffect::Destructive;
  if (effect == ActionEffect::Speculative) {
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
    return;
  }
  if (state.has_speculated && is_destructive)
    fail(Tag::D_ACT_SPEC, at, "destructive actions may not follow speculate( )");
  if (state.has_speculated && action == Action::Exit) fail(Tag::D_EXIT_SPEC, at, "exit( ) may not follow speculate( )");
  if (state.has_committed || state.may_have_committed)
    fail(Tag::D_DREC_COMM, at, "data-recording actions may not follow commit( )");
  if (!state.is_live) return;
  state.has_recorded = state.has_recorded_here = true;
  instance_->has_record = true;
  if (is_destructive) instance_->is_destructive = true;
}

void Checker::check_aggregation_order(const Position& at, ClauseState& state) {
  if (state.has_committed) fail(Tag::D_AGG_COMM, at, "aggregating actions may not follow commit( )");
  if (state.has_speculated) fail(Tag::D_AGG_SPEC, at, "aggregating actions may not follow speculate( )");
  if (state.is_live) state.has_recorded = state.has_recorded_here = true;
}

}  // namespace dscope
