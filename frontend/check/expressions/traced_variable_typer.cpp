#include "frontend/check/expressions/traced_variable_typer.h"

#include <algorithm>

#include "contract/follow.h"
#include "contract/threads.h"
#include "frontend/check/expressions/composed_struct.h"
#include "frontend/check/expressions/expansions.h"
#include "frontend/check/expressions/expression_typer.h"
#include "frontend/check/expressions/held_values.h"
#include "frontend/check/expressions/translated_objects.h"
#include "frontend/check/name_table.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

// Larger objects are left out of $$vars, and so is what does not fit into the whole.
constexpr uint64_t max_member_size = 256, max_whole_size = 2048;
// The largest $$vars whose variables are shown with what they hold. In larger ones they are plain objects.
constexpr uint64_t max_shown_size = 8192;

// Whether one clause instance can read both variables.
bool is_alike(const TracedVariable& one, const TracedVariable& other) {
  return one.type_text == other.type_text && one.is_in_memory() == other.is_in_memory();
}

// Whether the probe fires on an instruction of a program.
bool is_in_program(const Probe& probe) {
  const Hook& hook = probe.sites.empty() ? probe.hook : probe.sites.front().hook;
  return probe.derivations.empty() && std::holds_alternative<HookUprobe>(hook);
}

}  // namespace

// Reports an error if the clause has none. Without probes, as -Z permits, nothing is known of its variables.
bool TracedVariableTyper::has_probes(const Expr& expr, const Name& name) {
  if (context_.instance == nullptr) report_undefined(expr, name);
  else if (std::ranges::any_of(context_.instance->probes, [](const Probe* probe) { return is_awaited(*probe); }))
    fail(Tag::D_ARGS_TYPE, expr.at, "{} cannot be used: {} has no probes yet", spell_name(name),
         context_.instance->description);
  return !failed() && !context_.instance->probes.empty();
}

// Probes that are not alike the first one that can be read are split off. If there is a single probe, it is kept.
void TracedVariableTyper::keep_probes(const std::function<Likeness(const Probe&)>& likeness) {
  std::vector<const Probe*> kept;
  for (const Probe* probe : context_.instance->probes) {
    Likeness found = likeness(*probe);
    if (found == Likeness::Same) kept.push_back(probe);
    if (found == Likeness::Other) split_probes_.push_back(probe);
  }
  context_.instance->probes = std::move(kept);
}

ExprInfo TracedVariableTyper::check(const Expr& expr, const Name& name) {
  if (name.name == all_traced_variables)
    return fail(Tag::D_IDENT_BADREF, expr.at, "$$vars may only be used as print($$vars)");
  if (!has_probes(expr, name)) return {};
  const TracedVariable *model = nullptr, *unreadable = nullptr;
  for (const Probe* probe : context_.instance->probes) {
    const TracedVariable* found = host_.find_variable(*probe, types_, name.name);
    if (found == nullptr) continue;
    (found->is_readable() ? model : unreadable) = found;
    if (model != nullptr) break;
  }
  if (model == nullptr && unreadable != nullptr) return report_unreadable(expr, name, *unreadable);
  if (model == nullptr) return report_undefined(expr, name);
  const TracedVariable first = *model;  // a copy: finding variables of other probes may move it
  keep_probes([&](const Probe& probe) {
    const TracedVariable* found = host_.find_variable(probe, types_, name.name);
    if (found == nullptr || !found->is_readable()) return Likeness::Unreadable;
    return is_alike(*found, first) ? Likeness::Same : Likeness::Other;
  });
  return info_of(first);
}

ExprInfo TracedVariableTyper::report_undefined(const Expr& expr, const Name& name) {
  fail(Tag::D_MACRO_UNDEF, expr.at, "macro variable {} is not defined", spell_name(name));
  if (context_.instance == nullptr || context_.instance->probes.empty()) return {};
  diagnostics_.hint(host_.explain_variable(*context_.instance->probes.front(), name.name));
  return {};
}

ExprInfo TracedVariableTyper::report_unreadable(const Expr& expr, const Name& name, const TracedVariable& variable) {
  const Probe& probe = *context_.instance->probes.front();
  std::string reason = variable.places.empty() ? "it has no location" : variable.places.front().problem;
  fail(Tag::D_ARGS_TYPE, expr.at, "{} cannot be read at {}:{}: {}", spell_name(name), probe.function, probe.name,
       reason);
  diagnostics_.hint(host_.explain_variable(probe, name.name));
  return {};
}

ExprInfo TracedVariableTyper::info_of(const TracedVariable& variable) {
  ExprInfo result = value(variable.type);
  result.binding = TracedName{number_of(variable.name)};
  const Type& type = types_.resolved(variable.type);
  bool is_object = types_.is_struct_or_union(variable.type) || type.kind == TypeKind::Array;
  if (type.kind == TypeKind::Pointer) {
    result.space = type.is_userland ? Space::User : Space::Kernel;
  } else if (is_object || variable.is_in_memory()) {
    result.is_lvalue = true;
    // Objects in registers are copied to scratch memory, which is the kernel's.
    result.space = variable.is_in_memory() ? Space::User : Space::Kernel;
  }
  return result;
}

uint32_t TracedVariableTyper::number_of(const std::string& name) {
  std::vector<std::string>& names = semantics_.traced_names;
  auto found = std::ranges::find(names, name);
  auto number = static_cast<uint32_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return number;
}

// ---------------------------------------------------------------- self-> of goroutines

// Marks the self-> variables that the current clause instance uses. Returns a use of one; null if there is none.
const Expr* TracedVariableTyper::mark_thread_locals() {
  const Expr* use = nullptr;
  walk_clause(semantics_, *context_.instance, [&](const Expr& expr) {
    ExprInfo meaning = info(expr);
    const auto* id = std::get_if<VariableId>(&meaning.binding);
    if (id == nullptr || semantics_.variables[id->index].scope != VariableScope::Self) return;
    semantics_.variables[id->index].follows_goroutines = true;
    use = &expr;
  });
  return use;
}

TracedVariableTyper::Owner TracedVariableTyper::owner_at(const Probe& probe) {
  bool may_be_go = is_in_program(probe) && !is_awaited(probe);
  const TracedVariable* number = may_be_go ? host_.find_variable(probe, types_, goroutine_number) : nullptr;
  if (number == nullptr) return Owner::Thread;
  return number->is_readable() ? Owner::Goroutine : Owner::Unknown;
}

void TracedVariableTyper::follow_goroutines() {
  if (!dscope::follows_goroutines(context_.options)) return;
  const std::vector<const Probe*>& probes = context_.instance->probes;
  if (std::ranges::none_of(probes, [](const Probe* probe) { return is_in_program(*probe); })) return;
  const Expr* use = mark_thread_locals();
  if (use == nullptr) return;
  auto model = std::ranges::find_if(probes, [&](const Probe* probe) { return owner_at(*probe) != Owner::Unknown; });
  if (model == probes.end()) {
    const Probe& probe = *probes.front();
    fail(Tag::D_ARGS_TYPE, use->at, "self-> variables cannot follow goroutines at {}:{}: {}", probe.function,
         probe.name, host_.find_variable(probe, types_, goroutine_number)->places.front().problem);
    return diagnostics_.hint("-x threads=kernel lets them follow the kernel's threads");
  }
  Owner owner = owner_at(**model);
  if (owner == Owner::Goroutine) semantics_.goroutine_name = number_of(std::string{goroutine_number});
  keep_probes([&](const Probe& probe) {
    Owner own = owner_at(probe);
    return own == owner ? Likeness::Same : own == Owner::Unknown ? Likeness::Unreadable : Likeness::Other;
  });
}

// ---------------------------------------------------------------- $$vars

std::vector<const TracedVariable*> TracedVariableTyper::readable_variables(const Probe& probe) {
  host_.load_variables(probe, types_);
  std::vector<const TracedVariable*> readable;
  uint64_t size = 0;
  for (const TracedVariable& variable : probe.variables) {
    uint64_t own = types_.size_of(variable.type);
    bool is_local = !variable.is_global && variable.is_readable();
    if (!is_local || own == 0 || own > max_member_size || size + own > max_whole_size) continue;
    size += own;
    readable.push_back(&variable);
  }
  return readable;
}

ExprInfo TracedVariableTyper::check_all(const Expr& expr) {
  if (!has_probes(expr, std::get<Name>(expr.form))) return {};
  auto has_some = [&](const Probe* probe) { return !readable_variables(*probe).empty(); };
  auto model = std::ranges::find_if(context_.instance->probes, has_some);
  if (model == context_.instance->probes.end()) {
    fail(Tag::D_ARGS_IDX, expr.at, "$$vars is empty: no variable of the program can be read at {}",
         context_.instance->description);
    diagnostics_.hint(host_.explain_variable(*context_.instance->probes.front(), ""));
    return {};
  }
  std::vector<TracedVariable> all;
  for (const TracedVariable* variable : readable_variables(**model)) all.push_back(*variable);
  keep_probes([&](const Probe& probe) {
    std::vector<const TracedVariable*> own = readable_variables(probe);
    if (own.empty()) return Likeness::Unreadable;
    auto is_same = [](const TracedVariable* one, const TracedVariable& other) {
      return one->name == other.name && is_alike(*one, other);
    };
    return std::ranges::equal(own, all, is_same) ? Likeness::Same : Likeness::Other;
  });
  Type type{.kind = TypeKind::Struct, .name = "vars"};
  TranslatedObject object;
  for (const TracedVariable& variable : all) {
    const Expr* each = expansions_.make(expr.at, Name{VariableScope::Traced, variable.name});
    expressions_.store(*each, info_of(variable));
    const Expr* held = held_values_.printed(*each);
    if (failed()) return {};
    if (type.size + types_.size_of(info(*held).type) <= max_shown_size) each = held;
    const TypeMember& member = append_member(types_, type, variable.name, info(*each).type);
    object.members.push_back({.target = {.type = member.type, .bit_offset = member.bit_offset}, .value = each});
  }
  object.type = types_.add(std::move(type));
  ExprInfo result = translated_objects_.add(object);
  result.type = object.type;
  result.space = Space::Storage;
  return expressions_.store(expr, result);
}

}  // namespace dscope
