#include "catalog/catalog.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "support/text/spelling.h"

namespace dscope {

namespace {

// The names that the columns of the .def files use.
using enum FiringContext;
using enum MachinePart;
using enum StringBound::Rule;
using enum ArgumentRule::Kind;
constexpr StringBound up_to(uint32_t bytes) { return {Fixed, bytes}; }
constexpr ArgumentRule scratch_size(uint32_t argument) { return {ScratchSize, argument}; }
constexpr ArgumentRule scratch_target(uint32_t argument) { return {ScratchTarget, argument}; }
constexpr ArgumentRule constant(uint32_t argument) { return {Constant, argument}; }

constexpr VariableRow variables[] = {
#define DS_VARIABLE(id, name, type, context, task_member, bound, since, release) \
  {BuiltinVariable::id, name, type, context, task_member, bound, since, Release::release},
#include "catalog/variables.def"
#undef DS_VARIABLE
};
constexpr SubroutineRow subroutines[] = {
#define DS_SUBROUTINE(id, name, prototype, effect, rule, context, machine_part, bound, since, release) \
  {Subroutine::id, name,  prototype, SubroutineEffect::effect, rule, context,                          \
   machine_part,   bound, since,     Release::release},
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE
};
constexpr ActionRow actions[] = {
#define DS_ACTION(id, name, prototype, effect, record, value, context, machine_part, since, release)    \
  {Action::id, name,         prototype, ActionEffect::effect, ActionRecord::record, ActionValue::value, \
   context,    machine_part, since,     Release::release},
#include "catalog/actions.def"
#undef DS_ACTION
};
constexpr AggregationRow aggregations[] = {
#define DS_AGGREGATION(id, name, prototype, merge, content, since) \
  {AggregationFunction::id, name, prototype, AggregationMerge::merge, AggregationContent::content, since},
#include "catalog/aggregations.def"
#undef DS_AGGREGATION
};

// Tables have a few dozen rows, so a linear scan is fast enough.
template <typename Row, size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

std::string_view unavailable_text(Release release) {
  switch (release) {
    case Release::Now: return "";
    case Release::Later: return "is not available in this version of dscope";
    case Release::Never: return "cannot be done on a stock Linux kernel";
  }
  return "";
}

const VariableRow& row(BuiltinVariable id) { return variables[static_cast<size_t>(id)]; }
const SubroutineRow& row(Subroutine id) { return subroutines[static_cast<size_t>(id)]; }
const ActionRow& row(Action id) { return actions[static_cast<size_t>(id)]; }
const AggregationRow& row(AggregationFunction id) { return aggregations[static_cast<size_t>(id)]; }

const VariableRow* find_variable(std::string_view name) { return find_row(variables, name); }
const SubroutineRow* find_subroutine(std::string_view name) { return find_row(subroutines, name); }
const ActionRow* find_action(std::string_view name) { return find_row(actions, name); }
const AggregationRow* find_aggregation(std::string_view name) { return find_row(aggregations, name); }

Version version_of(std::string_view name) {
  if (const VariableRow* variable = find_variable(name)) return variable->since;
  if (const SubroutineRow* subroutine = find_subroutine(name)) return subroutine->since;
  if (const ActionRow* action = find_action(name)) return action->since;
  if (const AggregationRow* aggregation = find_aggregation(name)) return aggregation->since;
  return D1_0;
}

std::optional<uint32_t> find_raw_argument(std::string_view name) {
  if (name.size() != 4 || !name.starts_with("arg") || name[3] < '0' || name[3] > '9') return std::nullopt;
  return static_cast<uint32_t>(name[3] - '0');
}

const std::vector<std::string_view>& all_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const auto& row : variables) all.push_back(row.name);
    for (const auto& row : subroutines) all.push_back(row.name);
    for (const auto& row : actions) all.push_back(row.name);
    for (const auto& row : aggregations) all.push_back(row.name);
    return all;
  }();
  return names;
}

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  // A larger distance would match short names with unrelated ones.
  size_t max_distance = name.size() <= 5 ? 1 : name.size() <= 8 ? 2 : 3;
  std::string_view best;
  size_t best_distance = max_distance + 1;
  for (std::string_view candidate : candidates) {
    if (differs_only_in_case(name, candidate)) return candidate;
    size_t distance = edit_distance(name, candidate, best_distance);
    // Exchanged letters are more likely than missing letters.
    bool is_better = distance == best_distance && distance <= max_distance && candidate.size() == name.size() &&
                     best.size() != name.size();
    if (is_better || distance < best_distance) std::tie(best, best_distance) = std::pair{candidate, distance};
  }
  return best;
}

bool is_built_in_name(std::string_view name) {
  return find_variable(name) != nullptr || find_subroutine(name) != nullptr || find_action(name) != nullptr ||
         find_aggregation(name) != nullptr || find_raw_argument(name).has_value() || name == "args" || name == "NULL";
}

}  // namespace dscope
