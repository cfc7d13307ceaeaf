#include "driver/trace/limits.h"

#include <unistd.h>

#include <algorithm>

#include "contract/buffers/buffer_policy.h"

namespace dscope {

namespace {

// The verifier's time grows with the square of a program's length: 10,000 clauses on one probe keep it busy for
// minutes, during which the process cannot be interrupted.
constexpr size_t max_clauses = 4096;

// Sizes set by the user must hold at least one record, element or variable (consumer-and-actions.md 2.4, 5.10).
bool is_space_too_small(const ProgramPlan& plan) {
  auto is_below = [&](OptionId option, uint64_t needed) {
    return plan.options.number(option) >= 0 && static_cast<uint64_t>(plan.options.number(option)) < needed;
  };
  // The plan truncates strings to max_strsize. The check uses the requested strsize, so that dscope reports a buffer
  // that is too small for such a string.
  int64_t truncated_bytes =
      std::max<int64_t>(0, plan.options.number(OptionId::Strsize) - int64_t{TypeTable::max_strsize});
  auto requested_size = [&](uint64_t size) {
    return size > TypeTable::max_strsize ? size + static_cast<uint64_t>(truncated_bytes) : size;
  };
  for (const ClausePlan& clause : plan.clauses)
    if (clause.sends_records() && is_below(OptionId::Bufsize, requested_size(buffered_size(clause.record_size))))
      return true;
  for (const AggregationPlan& aggregation : plan.aggregations)
    if (plan.options.number(OptionId::Aggsize) != 0 &&
        is_below(OptionId::Aggsize, requested_size(aggregation.element_size)))
      return true;
  return plan.dynamic_capacity == 0;
}

// With bufpolicy=fill the records of END must fit in an empty buffer.
bool is_end_too_large(const ProgramPlan& plan, const Layout& layout) {
  uint64_t size = 0;
  for (const ProgramLayout& program : layout.programs)
    if (program.expected_activity == DS_ACTIVITY_DRAINING)
      for (const std::vector<uint32_t>& clauses : program.lists)
        for (uint32_t clause : clauses)
          if (plan.clauses[clause].has_record) size += buffered_size(plan.clauses[clause].record_size);
  return buffer_policy(plan.options) == BufferPolicy::Fill && size > buffer_size(plan.options);
}

bool matches_nothing(const Compilation& compilation, const AwaitedProbes& awaited) {
  auto has_match = [](const UnitPlan& unit) { return unit.matched != 0; };
  auto allows_unmatched = [](const ProgramUnit& unit) { return unit.rules.allows_unmatched.value_or(false); };
  return awaited.empty() && std::ranges::none_of(compilation.compiled.plan.units, has_match) &&
         std::ranges::none_of(compilation.program.units, allows_unmatched);
}

}  // namespace

Result<> check_clause_counts(const Compilation& compilation) {
  const CompiledPlan& compiled = compilation.compiled;
  for (size_t i = 0; i < compiled.layout.programs.size(); ++i) {
    std::vector<uint32_t> clauses;
    for (const auto& list : compiled.layout.programs[i].lists) clauses.insert(clauses.end(), list.begin(), list.end());
    if (clauses.size() <= max_clauses) continue;
    const Clause& first_over_limit = *compilation.meaning.clauses[clauses[max_clauses]].clause;
    SourceLocation location = compilation.sources.locate(first_over_limit.probes.front().at.range.begin);
    const SourceUnit& unit = compilation.sources.unit(location.unit);
    return fail(Error::make("could not enable tracing: {} clauses on {} and similar probes: at most {} can be loaded",
                            clauses.size(), compiled.plan.programs[i].name, max_clauses)
                    .hint(fmt::format("{}:{}: first clause over the limit",
                                      unit.kind == UnitKind::String ? "program" : unit.name, location.line)));
  }
  return {};
}

Result<> check_enabling(const Compilation& compilation, const ProgramPlan& plan, const AwaitedProbes& awaited,
                        bool forbids_destructive, MessageStyle style) {
  const OptionValues& options = plan.options;
  if (matches_nothing(compilation, awaited)) return fail(Error("no probes matched"));
  if (plan.is_destructive && forbids_destructive)
    return fail(Error("could not enable tracing: destructive actions are refused while others can see the run"));
  if (plan.is_destructive && !options.is_on(OptionId::Destructive))
    return fail(mistake(
        Error("could not enable tracing: Destructive actions not allowed").hint("allow them with option -w"), style));
  if (options.number(OptionId::Cpu) >= static_cast<int64_t>(sysconf(_SC_NPROCESSORS_CONF)))
    return fail(Error::make("could not enable tracing: no such CPU: {}", options.number(OptionId::Cpu)));
  if (is_space_too_small(plan)) return fail(Error("could not enable tracing: Enabling exceeds size of buffer"));
  if (is_end_too_large(plan, compilation.compiled.layout))
    return fail(Error("could not enable tracing: END enablings exceed size of principal buffer"));
  return {};
}

}  // namespace dscope
