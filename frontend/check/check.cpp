// The order in which the checker visits a program. Constructs the classes of the checker and connects them.
#include "frontend/check/check.h"

#include <algorithm>

#include "contract/follow.h"
#include "frontend/check/actions/action_checker.h"
#include "frontend/check/actions/aggregation_checker.h"
#include "frontend/check/actions/aggregation_typer.h"
#include "frontend/check/actions/format_checker.h"
#include "frontend/check/declarations/declarations.h"
#include "frontend/check/declarations/inlines.h"
#include "frontend/check/declarations/pragmas.h"
#include "frontend/check/declarations/provider_definitions.h"
#include "frontend/check/declarations/tag_definer.h"
#include "frontend/check/declarations/translators.h"
#include "frontend/check/declarations/type_builder.h"
#include "frontend/check/declarations/type_finder.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/expressions/argument_object.h"
#include "frontend/check/expressions/argument_typer.h"
#include "frontend/check/expressions/arithmetic_typer.h"
#include "frontend/check/expressions/assignment_typer.h"
#include "frontend/check/expressions/call_typer.h"
#include "frontend/check/expressions/comparison_typer.h"
#include "frontend/check/expressions/conversion_typer.h"
#include "frontend/check/expressions/element_typer.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/held_values.h"
#include "frontend/check/expressions/member_typer.h"
#include "frontend/check/expressions/name_typer.h"
#include "frontend/check/expressions/operator_typer.h"
#include "frontend/check/expressions/stability_rules.h"
#include "frontend/check/expressions/traced_variable_typer.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/expressions/type_errors.h"
#include "frontend/check/forward_arrays.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"
#include "frontend/check/probes/clause_checker.h"
#include "frontend/check/probes/derivations.h"
#include "frontend/check/probes/early_checks.h"
#include "frontend/check/probes/idle_clauses.h"
#include "frontend/check/probes/probe_binder.h"
#include "frontend/check/probes/statement_checker.h"
#include "frontend/check/probes/statement_typer.h"
#include "frontend/check/typing_state.h"
#include "support/check.h"
#include "support/text/probe_text.h"

namespace dscope {

namespace {

// Owns the classes that check a program. Expressions contain each other in any combination, so these classes refer to
// each other in cycles. Each class receives references only to the classes that it uses.
class Checker : private CheckerPart {
 public:
  Checker(CheckContext& context, HeaderTypes* headers, TargetProcess target)
      : CheckerPart(context), program_headers_(headers), formats_(context, target, type_errors_) {}

  void run();

 private:
  // The data for typing the clauses of a unit again.
  struct CheckedUnit {
    size_t clauses_end = 0;
    NameTable::LocalNames clause_locals;
    UnitScope scope;
  };

  void define_null();
  void define_machine();
  void check_unit(const ProgramUnit& unit);
  void check_clauses(const ProgramUnit& unit);
  bool define_all(const ProgramUnit& unit);
  void define(const External& external);
  void add_unit_plan(const ProgramUnit& unit, size_t first_clause);
  void settle_pointees();
  void complete_error_types();
  std::vector<bool> library_clauses() const;

  HeaderTypes* const program_headers_;  // may be null
  std::vector<CheckedUnit> checked_units_;

  // Some members refer to members that are constructed later: their constructors only store the references.
  NameTable names_{context_};
  AddressSpaces spaces_{context_};
  ForwardArrays forward_arrays_{context_, names_};
  PendingMistakes pending_{context_};
  TypingState typing_{context_, names_, spaces_, pending_};
  StabilityRules stability_{context_};
  TypeErrors type_errors_{context_};
  TypeFinder type_finder_{context_};
  TypeBuilder type_builder_{context_, expressions_, tag_definer_, type_finder_};
  TagDefiner tag_definer_{context_, expressions_, names_, type_builder_, type_finder_};
  Declarations declarations_{context_, names_, type_builder_, type_finder_};
  Inlines inlines_{context_, expressions_, names_, pending_, translated_objects_, type_builder_, typing_};
  Translators translators_{context_, inlines_, translated_objects_, type_builder_, type_finder_};
  ProviderDefinitions providers_{context_, translators_, type_builder_};
  Pragmas pragmas_{context_, names_, translators_};
  Expansions expansions_{context_, expressions_, names_};
  TranslatedObjects translated_objects_{context_, expansions_, expressions_, translators_, type_builder_, type_finder_};
  NameTyper name_typer_{context_, spaces_,           expansions_,  inlines_,    names_,
                        pending_, traced_variables_, type_finder_, expressions_};
  ArithmeticTyper arithmetic_{context_, type_errors_, type_finder_};
  ComparisonTyper comparisons_{context_, expressions_, names_, type_errors_, type_finder_};
  OperatorTyper operators_{context_, spaces_,     arithmetic_,         assignments_, comparisons_, expressions_,
                           names_,   name_typer_, translated_objects_, type_errors_, type_finder_, stability_};
  AssignmentTyper assignments_{context_, spaces_,  arithmetic_,         elements_,    expressions_,
                               names_,   pending_, translated_objects_, type_errors_, type_finder_};
  HeldValues held_values_{context_, expansions_, expressions_, translated_objects_};
  ConversionTyper conversions_{context_, expansions_,   expressions_, held_values_,
                               members_, type_builder_, type_finder_, pending_};
  MemberTyper members_{context_,     spaces_,      arguments_,  expansions_, expressions_, names_, translated_objects_,
                       translators_, type_errors_, type_finder_};
  ElementTyper elements_{context_,     spaces_,         aggregations_, arguments_,   arithmetic_, expansions_,
                         expressions_, forward_arrays_, names_,        type_errors_, type_finder_};
  ArgumentTyper arguments_{context_, expansions_, expressions_, names_, providers_, translated_objects_};
  ArgumentObject argument_object_{context_, arguments_,        expansions_,        expressions_,
                                  names_,   traced_variables_, translated_objects_};
  TracedVariableTyper traced_variables_{context_, expansions_, expressions_, held_values_, translated_objects_};
  CallTyper calls_{context_, spaces_,  argument_object_,    expressions_, held_values_,
                   names_,   pending_, translated_objects_, type_errors_, type_finder_};
  ExpressionTyper expressions_{
      context_,
      expansions_,
      stability_,
      typing_,
      translated_objects_,
      {name_typer_, operators_, assignments_, conversions_, members_, elements_, calls_, translated_objects_}};
  FormatChecker formats_;
  ActionChecker actions_{context_, formats_, pending_, type_errors_, type_finder_, names_};
  AggregationTyper aggregations_{context_, calls_, expressions_, formats_, pending_, names_};
  AggregationChecker aggregation_checker_{context_, names_};
  StatementTyper statements_{context_, aggregations_, expressions_, names_, translated_objects_, calls_};
  StatementChecker statement_checker_{context_, actions_, aggregation_checker_, pending_};
  Derivations derivations_{context_, expressions_, statements_, arguments_, typing_};
  ProbeBinder binder_{context_, derivations_, stability_};
  ClauseChecker clauses_{context_,    pending_,   binder_,           statement_checker_,
                         statements_, arguments_, traced_variables_, typing_};
  EarlyChecks early_checks_{context_, calls_, conversions_};
};

void Checker::run() {
  define_null();
  define_machine();
  for (const ProgramUnit& unit : context_.program.units) {
    check_unit(unit);
    if (failed()) return;
  }
  settle_pointees();
  complete_error_types();
  if (!failed()) leave_out_idle_clauses(semantics_, library_clauses());
}

// NULL is defined even without libraries.
void Checker::define_null() { names_.define_constant("NULL", *types_.find("long"), 0); }

// Facts about the machine that the libraries refer to.
void Checker::define_machine() {
  const MachineFacts& facts = host_.facts();
  const std::pair<const char*, uint64_t> constants[] = {{"__machine_cpus", facts.online_cpu_count},
                                                        {"__machine_hertz", facts.ticks_per_second},
                                                        {"__machine_page_size", facts.page_size},
                                                        {"__machine_pages", facts.page_count},
                                                        {"__machine_possible_cpus", facts.cpu_count}};
  for (auto [name, value] : constants) names_.define_constant(name, *types_.find("long"), value);
  if (facts.kernel_banner.empty()) return;
  const Expr* banner = expansions_.make({}, StringLiteral{.bytes = facts.kernel_banner, .is_macro = true});
  expressions_.check(*banner);
  names_.define("__machine_banner", InlineId{static_cast<uint32_t>(semantics_.inlines.size())});
  semantics_.inlines.push_back({.name = "__machine_banner", .type = types_.string_type(), .value = banner});
}

// All definitions of a unit take effect before its first clause is typed (d-language.md 0).
void Checker::check_unit(const ProgramUnit& unit) {
  UnitKind kind = diagnostics_.sources().unit(unit.source).kind;
  context_.unit = {.kind = kind,
                   .rules = unit.rules,
                   .headers = kind == UnitKind::Library ? nullptr : program_headers_,
                   .created_globals = created_globals(context_.program, unit)};
  names_.set_clause_locals({});
  pragmas_.start_unit();
  if (!define_all(unit)) return;
  size_t first = semantics_.clauses.size();
  check_clauses(unit);
  if (failed()) return;
  add_unit_plan(unit, first);
  checked_units_.push_back(
      {.clauses_end = semantics_.clauses.size(), .clause_locals = names_.clause_locals(), .scope = context_.unit});
}

// A clause may read an array that only a later clause gives a type: then all clauses are typed again.
void Checker::check_clauses(const ProgramUnit& unit) {
  const TypingState::Snapshot before = typing_.snapshot();
  const size_t clause_count = semantics_.clauses.size(), derived_count = semantics_.derived_probes.size();
  forward_arrays_.start_unit(unit);
  for (;;) {
    for (const External& external : unit.externals) {
      if (const auto* clause = std::get_if<Clause>(&external.form)) clauses_.check(external, *clause);
      if (failed()) break;
    }
    if (!forward_arrays_.needs_another_pass()) return;
    typing_.restore(before);
    semantics_.clauses.resize(clause_count);
    semantics_.derived_probes.resize(derived_count);
  }
}

// False after an error.
bool Checker::define_all(const ProgramUnit& unit) {
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  for (const External& external : unit.externals) {
    define(external);
    if (!failed()) pragmas_.apply_pending();
    if (failed()) return false;
  }
  pragmas_.check_unused();
  if (unit.end_mistake) diagnostics_.add(*unit.end_mistake);
  if (failed()) return false;
  for (const External& external : unit.externals) {
    if (const auto* clause = std::get_if<Clause>(&external.form)) early_checks_.check_constants(*clause);
    if (failed()) return false;
  }
  return true;
}

void Checker::define(const External& external) {
  context_.in_header = external.in_header && std::holds_alternative<Declaration>(external.form);
  std::visit(Overloaded{[&](const Declaration& form) { declarations_.declare(form); },
                        [&](const InlineDefinition& form) { inlines_.define(form); },
                        [&](const TranslatorDefinition& form) { translators_.define(external, form); },
                        [&](const ProviderDefinition& form) { providers_.define(external, form); },
                        [&](const Clause& form) { early_checks_.check_function_names(form); },
                        [&](const Pragma& form) { pragmas_.add(external, form); }},
             external.form);
  context_.in_header = false;
}

// The counts for the "matched N probes" notice (consumer-and-actions.md 1.2), which leaves libraries out.
void Checker::add_unit_plan(const ProgramUnit& unit, size_t first_clause) {
  const SourceUnit& source = diagnostics_.sources().unit(unit.source);
  if (source.kind == UnitKind::Library) return;
  UnitPlan plan{.is_script = source.kind == UnitKind::Script, .name = source.name};
  if (!plan.is_script) plan.name.resize(leading_descriptions(plan.name).size());
  for (size_t i = first_clause; i < semantics_.clauses.size(); ++i)
    plan.matched += static_cast<uint32_t>(
        std::ranges::count_if(semantics_.clauses[i].probes, [](const Probe* probe) { return !is_awaited(*probe); }));
  semantics_.units.push_back(std::move(plan));
}

// A clause may read a pointer variable that a later clause assigns. If that assignment changed what the earlier clause
// assumed, everything is typed again with the pointees known by now. This ends: types do not change any more, and
// spaces only become more general.
void Checker::settle_pointees() {
  constexpr int max_rounds = 4;
  for (int round = 0; round < max_rounds && !failed() && spaces_.take_stale(); ++round) {
    inlines_.type_again();
    for (DerivedProbe& derived : semantics_.derived_probes) derivations_.type(derived);
    size_t next = 0;
    for (const CheckedUnit& unit : checked_units_) {
      names_.set_clause_locals(unit.clause_locals);
      context_.unit = unit.scope;
      for (; next < unit.clauses_end && !failed(); ++next) clauses_.type_again(semantics_.clauses[next]);
    }
  }
}

// A variable that only clauses without probes assign has no type; its layout needs one.
void Checker::complete_error_types() {
  for (Variable& variable : semantics_.variables) {
    if (variable.type == TypeTable::error_type()) variable.type = types_.integer(8, true);
    for (TypeId& key : variable.keys)
      if (key == TypeTable::error_type()) key = types_.integer(8, true);
  }
  for (Aggregation& aggregation : semantics_.aggregations)
    for (AggregationKey& key : aggregation.keys)
      if (key.type == TypeTable::error_type()) key.type = types_.integer(8, true);
}

// For each clause instance, whether a library defines it.
std::vector<bool> Checker::library_clauses() const {
  std::vector<bool> are_of_libraries;
  for (const CheckedUnit& unit : checked_units_)
    are_of_libraries.resize(unit.clauses_end, unit.scope.kind == UnitKind::Library);
  return are_of_libraries;
}

}  // namespace

Semantics check(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics,
                HeaderTypes* headers, TargetProcess target) {
  Semantics semantics;
  semantics.dialect = options.dialect();
  int64_t strsize = options.number(OptionId::Strsize);
  strsize = strsize > 0 ? std::min<int64_t>(strsize, TypeTable::max_strsize) : 256;
  semantics.types = std::make_unique<TypeTable>(static_cast<uint32_t>(strsize), options.data_model());
  semantics.format_of_node.assign(program.node_count, -1);
  CheckContext context(program, host, options, diagnostics, semantics);
  Checker(context, headers, target).run();
  diagnostics.set_phase(DiagnosticPhase::Parse);
  return semantics;
}

}  // namespace dscope
