#include "frontend/check/probes/idle_clauses.h"

#include <algorithm>
#include <set>

#include "frontend/semantics/walk.h"
#include "frontend/syntax/operators.h"

namespace dscope {

namespace {

const Assign* plain_assignment(const Statement& statement) {
  const auto* form = std::get_if<ExprStatement>(&statement.form);
  const auto* assign = form == nullptr ? nullptr : std::get_if<Assign>(&form->expr->form);
  return assign == nullptr || assign->op ? nullptr : assign;
}

// The name on the left of an assignment: `name = ...`, `self->name = ...`, `name[...] = ...`.
const Expr& assigned_name(const Assign& assign) {
  const auto* element = std::get_if<Index>(&assign.lhs->form);
  return element == nullptr ? *assign.lhs : *element->base;
}

class IdleClauses {
 public:
  // are_of_libraries: for each clause, whether it may be removed.
  IdleClauses(Semantics& meaning, std::vector<bool> are_of_libraries)
      : meaning_(meaning), may_be_idle_(std::move(are_of_libraries)) {}

  void leave_out() {
    for (size_t i = 0; i < meaning_.clauses.size(); ++i)
      if (may_be_idle_[i]) may_be_idle_[i] = only_remembers(meaning_.clauses[i]);
    for (size_t i = 0; i < meaning_.clauses.size(); ++i)
      if (!may_be_idle_[i]) note(meaning_.clauses[i]);
    for (size_t before = 0; before != read_.size() + arguments_.size();) {
      before = read_.size() + arguments_.size();
      note_derived();
      for (size_t i = 0; i < meaning_.clauses.size(); ++i)
        if (may_be_idle_[i] && remembers_what_is_read(meaning_.clauses[i])) {
          may_be_idle_[i] = false;
          note(meaning_.clauses[i]);
        }
    }
    for (size_t i = 0; i < meaning_.clauses.size(); ++i) meaning_.clauses[i].never_runs |= may_be_idle_[i];
  }

 private:
  // Whether the clause assigns variables and has no other effect.
  bool only_remembers(const ClauseInstance& clause) const {
    if (clause.probes.empty() || clause.has_record) return false;
    for (const Statement* statement : clause.clause->body) {
      const Assign* assign = plain_assignment(*statement);
      if (assign == nullptr || !variable(clause, assigned_name(*assign))) return false;
    }
    size_t effects = 0;
    walk_clause(meaning_, clause, [&](const Expr& expr) {
      bool is_action = std::holds_alternative<Action>(meaning_.info(clause, expr).binding);
      effects += changed_operand(expr) != nullptr || is_action ? 1 : 0;
    });
    return effects == clause.clause->body.size();
  }

  std::optional<uint32_t> variable(const ClauseInstance& clause, const Expr& name) const {
    const auto* id = std::get_if<VariableId>(&meaning_.info(clause, name).binding);
    return id == nullptr ? std::nullopt : std::optional{id->index};
  }

  bool remembers_what_is_read(const ClauseInstance& clause) const {
    return std::ranges::any_of(clause.clause->body, [&](const Statement* statement) {
      return read_.contains(*variable(clause, assigned_name(*plain_assignment(*statement))));
    });
  }

  // Every variable that a remaining clause names counts as read, even one that it assigns: only for clauses that may be
  // left out are the assigned variables known.
  void note(const ClauseInstance& clause) {
    walk_clause(meaning_, clause, [&](const Expr& expr) { note(clause, expr); });
  }

  void note(const ClauseInstance& clause, const Expr& expr) {
    const Binding& binding = meaning_.info(clause, expr).binding;
    if (const auto* id = std::get_if<VariableId>(&binding)) read_.insert(id->index);
    if (const auto* raw = std::get_if<RawArgument>(&binding)) note_argument(clause, raw->index, true);
    if (const auto* typed = std::get_if<TypedArgument>(&binding)) note_argument(clause, typed->index, false);
  }

  void note_argument(const ClauseInstance& clause, uint32_t index, bool is_raw) {
    for (const Probe* probe : clause.probes)
      if (!probe->derivations.empty()) arguments_.insert({probe, index, is_raw});
  }

  // The predicates of derived probes, and those of their arguments that something reads.
  void note_derived() {
    for (const DerivedProbe& derived : meaning_.derived_probes) {
      const ClauseInstance& instance = derived.instance;
      auto visit = [&](const Expr& expr) { note(instance, expr); };
      if (const Expr* predicate = instance.clause->predicate) walk_expr(meaning_, instance, *predicate, visit);
      for (uint32_t i = 0; i < derived.arguments.size(); ++i) {
        if (arguments_.contains({derived.probe, i, false})) walk_expr(meaning_, instance, *derived.arguments[i], visit);
        if (arguments_.contains({derived.probe, i, true}))
          walk_expr(meaning_, instance, *derived.raw_arguments[i], visit);
      }
    }
  }

  Semantics& meaning_;
  std::vector<bool> may_be_idle_;                                 // by clause
  std::set<uint32_t> read_;                                       // variables
  std::set<std::tuple<const Probe*, uint32_t, bool>> arguments_;  // of derived probes; the last: argN, not args[n]
};

}  // namespace

void leave_out_idle_clauses(Semantics& semantics, std::vector<bool> are_of_libraries) {
  IdleClauses(semantics, std::move(are_of_libraries)).leave_out();
}

}  // namespace dscope
