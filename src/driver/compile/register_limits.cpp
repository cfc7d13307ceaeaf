#include "driver/compile/register_limits.h"

namespace dscope {

namespace {

constexpr int64_t needed_registers = 8;

Error unit_error(const Compilation& compilation, const ProgramUnit& unit, std::string_view problem) {
  return Error::make("{}: {}", failure_text(compilation.sources.unit(unit.source)), problem);
}

// The greatest number of keys that `clause` uses at once.
size_t max_keys(const Program& program, const Clause& clause, bool counts_aggregations) {
  size_t most = 0;
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index && i < program.exprs.size(); ++i) {
    const auto* index = std::get_if<Index>(&program.exprs[i].form);
    if (index == nullptr) continue;
    if (counts_aggregations || !std::holds_alternative<AggregationRef>(index->base->form))
      most = std::max(most, index->arguments.size());
  }
  return most;
}

}  // namespace

std::optional<Error> exceeded_registers(const Compilation& compilation, const OptionValues& options) {
  // dscope itself has no limit. The default is the limit of programs for DTrace, which has none for aggregations.
  int64_t tuple_limit = options.number(OptionId::Tregs);
  bool is_chosen = tuple_limit != row(OptionId::Tregs).default_value;
  for (const ProgramUnit& unit : compilation.program.units) {
    for (const External& external : unit.externals) {
      const auto* clause = std::get_if<Clause>(&external.form);
      if (clause == nullptr) continue;
      if (options.number(OptionId::Iregs) < needed_registers)
        return unit_error(compilation, unit, "Insufficient registers to generate code");
      size_t keys = max_keys(compilation.program, *clause, is_chosen);
      if (static_cast<int64_t>(keys) > tuple_limit)
        return unit_error(compilation, unit, "Insufficient tuple registers to generate code")
            .hint(fmt::format("{} keys are used at once; -x tregs={} permits them", keys, keys));
    }
  }
  return std::nullopt;
}

}  // namespace dscope
