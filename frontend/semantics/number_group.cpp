#include "frontend/semantics/number_group.h"

#include "support/format.h"

namespace dscope {

namespace {

std::optional<NumberGroup> group_of(const Probe& probe, uint32_t argument) {
  if (argument >= probe.args.size()) return std::nullopt;
  const std::string& name = probe.args[argument].name;
  return group_of_argument(probe.provider, probe.function, probe.name,
                           name.empty() ? fmt::format("{}", argument) : name);
}

}  // namespace

std::optional<NumberGroup> number_group(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  const ExprInfo* info = &meaning.info(clause, expr);
  while (info->stands_for != nullptr) info = &meaning.info(clause, *info->stands_for);
  if (const auto* builtin = std::get_if<BuiltinVariable>(&info->binding); builtin != nullptr)
    return *builtin == BuiltinVariable::Errno ? std::optional(NumberGroup::Error) : std::nullopt;
  const auto* argument = std::get_if<TypedArgument>(&info->binding);
  if (argument == nullptr || clause.probes.empty()) return std::nullopt;
  auto group = group_of(*clause.probes.front(), argument->index);
  for (const Probe* probe : clause.probes)
    if (group_of(*probe, argument->index) != group) return std::nullopt;
  return group;
}

}  // namespace dscope
