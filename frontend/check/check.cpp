// check(): the order in which a program is checked, and what does not belong to a clause: providers, NULL.
#include "frontend/check/check.h"

#include <algorithm>

#include "contract/follow.h"
#include "frontend/check/checker.h"
#include "support/check.h"
#include "support/probe_text.h"

namespace dscope {

Semantics check(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics,
                HeaderTypes* headers, TargetProcess target) {
  Semantics meaning;
  meaning.is_solaris_mode = options.text(OptionId::Compat) == "solaris";
  int64_t strsize = options.number(OptionId::Strsize);
  strsize = strsize > 0 ? std::min<int64_t>(strsize, TypeTable::max_strsize) : 256;
  meaning.types = std::make_unique<TypeTable>(static_cast<uint32_t>(strsize), options.data_model());
  Checker(program, host, options, diagnostics, meaning, headers, target).run();
  diagnostics.set_phase(DiagnosticPhase::Parse);
  return meaning;
}

Checker::Checker(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics,
                 Semantics& meaning, HeaderTypes* headers, TargetProcess target)
    : program_(program),
      host_(host),
      options_(options),
      diagnostics_(diagnostics),
      meaning_(meaning),
      types_(*meaning.types),
      version_(parse_version(options.text(OptionId::Version)).value_or(latest_version)),
      min_attributes_(parse_attributes(options.text(OptionId::Amin))),
      program_headers_(headers),
      target_(target) {
  meaning_.format_of_node.assign(program.node_count, -1);
}

void Checker::run() {
  define_null();
  define_machine();
  for (const ProgramUnit& unit : program_.units) {
    check_unit(unit);
    if (failed()) return;
  }
  settle_pointees();
  complete_error_types();
  if (!failed()) leave_out_idle_clauses();
}

// NULL is there even without libraries.
void Checker::define_null() {
  auto id = InlineId{static_cast<uint32_t>(meaning_.inlines.size())};
  meaning_.inlines.push_back({.name = "NULL", .type = *types_.find("long"), .constant = 0});
  globals_["NULL"] = id;
}

// What the libraries must know of the machine.
void Checker::define_machine() {
  const MachineFacts& facts = host_.facts();
  const std::pair<const char*, uint64_t> constants[] = {{"__machine_cpus", facts.online_cpu_count},
                                                        {"__machine_hertz", facts.hertz},
                                                        {"__machine_page_size", facts.page_size},
                                                        {"__machine_pages", facts.page_count},
                                                        {"__machine_possible_cpus", facts.cpu_count}};
  for (auto [name, value] : constants) {
    auto id = InlineId{static_cast<uint32_t>(meaning_.inlines.size())};
    meaning_.inlines.push_back({.name = name, .type = *types_.find("long"), .constant = value});
    globals_[name] = id;
  }
  if (facts.kernel_banner.empty()) return;
  const Expr* banner = made({}, StringLiteral{.bytes = facts.kernel_banner});
  check(*banner);
  globals_["__machine_banner"] = InlineId{static_cast<uint32_t>(meaning_.inlines.size())};
  meaning_.inlines.push_back({.name = "__machine_banner", .type = types_.string_type(), .value = banner});
}

// All definitions of a unit take effect before its first clause is typed (d-language.md 0).
void Checker::check_unit(const ProgramUnit& unit) {
  bool is_library = diagnostics_.sources().unit(unit.source).kind == UnitKind::Library;
  enter({.kind = diagnostics_.sources().unit(unit.source).kind,
         .rules = unit.rules,
         .headers = is_library ? nullptr : program_headers_});
  thises_.clear();
  unit_start_ = {.variables = meaning_.variables.size(), .inlines = meaning_.inlines.size()};
  diagnostics_.set_phase(DiagnosticPhase::Parse);
  for (const External& external : unit.externals) {
    define(external);
    if (!failed()) apply_pending_pragmas();
    if (failed()) return;
  }
  check_unused_pragmas();
  if (unit.end_mistake) diagnostics_.add(*unit.end_mistake);
  if (failed()) return;
  for (const External& external : unit.externals) {
    if (const auto* clause = std::get_if<Clause>(&external.form)) check_constants(*clause);
    if (failed()) return;
  }
  size_t first = meaning_.clauses.size();
  for (const External& external : unit.externals) {
    if (const auto* clause = std::get_if<Clause>(&external.form)) check_clause(external, *clause);
    if (failed()) return;
  }
  add_unit_plan(unit, first);
  unit_names_.push_back({.clauses_end = meaning_.clauses.size(), .thises = thises_, .meaning = unit_meaning()});
}

void Checker::enter(const UnitMeaning& unit) {
  unit_kind_ = unit.kind;
  unit_rules_ = unit.rules;
  headers_ = unit.headers;
}

void Checker::define(const External& external) {
  in_header_ = external.in_header && std::holds_alternative<Declaration>(external.form);
  std::visit(Overloaded{[&](const Declaration& form) { declare(form); },
                        [&](const InlineDefinition& form) { define_inline(form); },
                        [&](const TranslatorDefinition& form) { define_translator(external, form); },
                        [&](const ProviderDefinition& form) { check_provider(external, form); },
                        [&](const Clause& form) { check_function_names(form); },
                        [&](const Pragma& form) { check_pragma(external, form); }},
             external.form);
  in_header_ = false;
}

// What the "matched N probes" notice says (consumer-and-actions.md 1.2). Libraries are no programs of the user.
void Checker::add_unit_plan(const ProgramUnit& unit, size_t first_clause) {
  const SourceUnit& source = diagnostics_.sources().unit(unit.source);
  if (source.kind == UnitKind::Library) return;
  UnitPlan plan{.is_script = source.kind == UnitKind::Script, .name = source.name};
  if (!plan.is_script) plan.name.resize(descriptions_of(plan.name).size());
  for (size_t i = first_clause; i < meaning_.clauses.size(); ++i)
    plan.matched += static_cast<uint32_t>(
        std::ranges::count_if(meaning_.clauses[i].probes, [](const Probe* probe) { return !is_awaited(*probe); }));
  meaning_.units.push_back(std::move(plan));
}

// A pointer variable may be read in a clause above the one that tells where it points. When that changed what an
// earlier clause assumed, everything is typed again with what is known now; types stay as they are, and spaces only
// ever become more general, so this ends.
void Checker::settle_pointees() {
  constexpr int max_rounds = 4;
  for (int round = 0; is_pointee_stale_ && round < max_rounds && !failed(); ++round) {
    is_pointee_stale_ = false;
    for (size_t i = 0; i < inline_definitions_.size() && !failed(); ++i) {
      if (!inline_definitions_[i].is_typed) continue;
      enter(inline_definitions_[i].unit);
      type_inline(inline_definitions_[i]);
    }
    for (DerivedProbe& derived : meaning_.derived_probes) type_derivation(derived);
    size_t next = 0;
    for (const UnitNames& unit : unit_names_) {
      thises_ = unit.thises;
      enter(unit.meaning);
      for (; next < unit.clauses_end && !failed(); ++next) type_again(meaning_.clauses[next]);
    }
  }
}

// A variable that only clauses without probes assign has no type; it needs one to be laid out.
void Checker::complete_error_types() {
  for (Variable& variable : meaning_.variables) {
    if (variable.type == TypeTable::error_type()) variable.type = types_.integer(8, true);
    for (TypeId& key : variable.keys)
      if (key == TypeTable::error_type()) key = types_.integer(8, true);
  }
  for (Aggregation& aggregation : meaning_.aggregations)
    for (AggregationKey& key : aggregation.keys)
      if (key.type == TypeTable::error_type()) key.type = types_.integer(8, true);
}

// ---------------------------------------------------------------- errors

Position Checker::place(const Expr& whole, const Expr& part) {
  // The caret stands under the part; the line is that of the construct that complains.
  return {.range = part.at.range, .line = whole.at.line, .file = whole.at.file};
}

// For an object of a struct, union or enum that nobody has defined, or an array of them.
void Checker::suggest_type(TypeId incomplete) {
  incomplete = types_.resolve(incomplete);
  while (types_.get(incomplete).kind == TypeKind::Array) incomplete = types_.resolve(types_.get(incomplete).base);
  if (types_.get(incomplete).kind != TypeKind::Forward) return;
  std::string near = headers_ == nullptr ? "" : headers_->nearest_type(types_.get(incomplete).name);
  if (near.empty()) near = host_.nearest_type(types_.get(incomplete).name);
  if (!near.empty()) diagnostics_.hint(fmt::format("did you mean `{}`?", near));
}

void Checker::suggest(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view near = nearest_name(name, candidates);
  if (!near.empty() && near != name) diagnostics_.hint(fmt::format("did you mean `{}`?", near));
}

void Checker::defer(Tag tag, const Position& at, std::string message) {
  deferred_.push_back(
      {.statement = statement_,
       .diagnostic = {.tag = tag, .message = std::move(message), .at = at, .phase = diagnostics_.phase(), .hint = {}}});
}

void Checker::report_deferred(const Statement* statement) {
  for (const Deferred& deferred : deferred_)
    if (deferred.statement == statement) diagnostics_.add(deferred.diagnostic);
}

// Mistakes in the use of what dscope does not have yet come first: the program is wrong with any version.
void Checker::not_available(const Position& at, std::string message) {
  if (unavailable_) return;
  unavailable_ = Diagnostic{
      .tag = Tag::D_UNKNOWN, .message = std::move(message), .at = at, .phase = diagnostics_.phase(), .hint = {}};
}

void Checker::report_unavailable() {
  if (unavailable_) diagnostics_.add(*unavailable_);
  unavailable_.reset();
}

}  // namespace dscope
