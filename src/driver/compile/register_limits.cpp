#include "driver/compile/register_limits.h"

namespace dscope {

namespace {

constexpr int64_t required_registers = 8;

Error unit_error(const Compilation& compilation, const ProgramUnit& unit, std::string_view problem) {
  return Error::make("{}: {}", failure_text(compilation.sources.unit(unit.source)), problem);
}

// Returns the maximum number of keys that `clause` uses at once.
size_t max_keys(const Program& program, const Clause& clause, bool counts_aggregations) {
  size_t max_count = 0;
  for (uint32_t i = clause.first_node.index; i < clause.end_node.index && i < program.exprs.size(); ++i) {
    const auto* index = std::get_if<Index>(&program.exprs[i].form);
    if (index == nullptr) continue;
    if (counts_aggregations || !std::holds_alternative<AggregationRef>(index->base->form))
      max_count = std::max(max_count, index->arguments.size());
  }
  return max_count;
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
      if (options.number(OptionId::Iregs) < required_registers)
        return unit_error(compilation, unit, "Insufficient registers to generate code");
      size_t keys = max_keys(compilation.program, *clause, is_chosen);
      if (static_cast<int64_t>(keys) > tuple_limit)
        return unit_error(compilation, unit, "Insufficient tuple registers to generate code")
            .hint(fmt::format("allow the {} keys of the clause with -x tregs={}", keys, keys));
    }
  }
  return std::nullopt;
}

}  // namespace dscope
