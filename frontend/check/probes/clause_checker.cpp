#include "frontend/check/probes/clause_checker.h"

#include <algorithm>

#include "contract/process_provider.h"
#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/traced_variable_typer.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/check/probes/probe_binder.h"
#include "frontend/check/probes/statement_checker.h"
#include "frontend/check/probes/statement_typer.h"
#include "frontend/check/typing_state.h"

namespace dscope {

void ClauseChecker::check(const External& external, const Clause& clause) {
  if (clause.probes.empty()) return check_without_probes(external, clause);
  for (size_t i = 0; i < clause.probes.size() && !failed(); ++i) {
    ClauseInstance instance{.number = static_cast<uint32_t>(semantics_.clauses.size()),
                            .clause = &clause,
                            .specifier = static_cast<uint32_t>(i)};
    if (!binder_.bind(clause, clause.probes[i], instance)) return;
    for (;;) {
      check_instance(instance, external.at);
      if (!failed()) binder_.drop_unavailable(clause.probes[i], instance);
      if (failed()) return;
      semantics_.clauses.push_back(std::move(instance));
      std::vector<const Probe*> split = arguments_.take_split_probes();
      if (split.empty()) split = traced_variables_.take_split_probes();
      if (split.empty()) break;
      instance = instance_for(std::move(split), semantics_.clauses.back());
    }
  }
}

// The clause defines variables and aggregations, as one whose description matches no probe.
void ClauseChecker::check_without_probes(const External& external, const Clause& clause) {
  ClauseInstance instance{.number = static_cast<uint32_t>(semantics_.clauses.size()), .clause = &clause};
  instance.infos.resize(clause.end_node.index - clause.first_node.index);
  check_instance(instance, external.at);
  if (!failed()) semantics_.clauses.push_back(std::move(instance));
}

// Creates an instance of the same clause and description for probes whose args[] consist of other values.
ClauseInstance ClauseChecker::instance_for(std::vector<const Probe*> probes, const ClauseInstance& other) {
  ClauseInstance instance{.number = static_cast<uint32_t>(semantics_.clauses.size()),
                          .clause = other.clause,
                          .specifier = other.specifier,
                          .description = other.description,
                          .probes = std::move(probes)};
  instance.infos.resize(other.infos.size());
  return instance;
}

void ClauseChecker::check_instance(ClauseInstance& instance, const Position& end) {
  context_.instance = &instance;
  arguments_.start_instance();
  typing_.start();
  const Clause& clause = *instance.clause;
  type_instance(clause, end);
  if (!failed()) {
    diagnostics_.set_phase(DiagnosticPhase::ActionList);
    instance.has_record = clause.body.empty();
    ClauseState state;
    statement_checker_.check(clause.body, state);
    // Mistakes in the predicate, which belongs to no statement, come last.
    pending_.report_deferred(nullptr);
    pending_.report_unavailable();
    instance.has_record = instance.has_record || state.has_speculated;
    instance.never_runs = clause.predicate != nullptr && info(*clause.predicate).constant == uint64_t{0};
    if (!failed()) traced_variables_.follow_goroutines();
  }
  context_.instance = nullptr;
}

namespace {

bool is_undefined_name(Tag tag) { return tag == Tag::D_IDENT_UNDEF || tag == Tag::D_VAR_UNDEF; }

}  // namespace

// The action list is typed first, so that the predicate may use the variables that it creates. If a name is undefined,
// the predicate is typed first instead.
void ClauseChecker::type_instance(const Clause& clause, const Position& end) {
  TypingState::Snapshot before = typing_.snapshot();
  type_body(clause);
  if (!failed()) statements_.type_predicate(clause, end);
  if (!failed() || clause.predicate == nullptr || !is_undefined_name(diagnostics_.first().tag)) return;
  Diagnostic original = diagnostics_.first();
  diagnostics_.clear();
  typing_.restore(std::move(before));
  std::fill(context_.instance->infos.begin(), context_.instance->infos.end(), ExprInfo{});
  typing_.start();
  statements_.type_predicate(clause, end);
  if (!failed()) type_body(clause);
  if (!failed()) return;
  diagnostics_.clear();
  diagnostics_.add(std::move(original));
}

// All names are defined by now, so the order does not matter, and the actions are already checked.
void ClauseChecker::type_again(ClauseInstance& instance) {
  context_.instance = &instance;
  arguments_.start_instance();
  typing_.start();
  type_body(*instance.clause);
  if (!failed()) statements_.type_predicate(*instance.clause, {});
  context_.instance = nullptr;
}

void ClauseChecker::type_body(const Clause& clause) {
  diagnostics_.set_phase(DiagnosticPhase::ActionList);
  statements_.type(clause.body);
  context_.statement = nullptr;
}

}  // namespace dscope
