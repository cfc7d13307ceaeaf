#include "driver/trace/awaited_probes.h"

#include <algorithm>

#include "contract/follow.h"
#include "contract/host.h"
#include "support/format.h"
#include "support/text/glob.h"

namespace dscope {
namespace {

bool is_awaited(const ClauseInstance& clause) {
  return std::ranges::any_of(clause.probes, [](const Probe* probe) { return dscope::is_awaited(*probe); });
}

bool may_match_nothing(const Compilation& compilation, UnitId unit) {
  return std::ranges::any_of(compilation.program.units, [&](const ProgramUnit& each) {
    return each.source == unit && each.rules.allows_unmatched.value_or(false);
  });
}

}  // namespace

AwaitedProbes::AwaitedProbes(const Compilation& compilation) {
  const std::vector<UnitId>& units = compilation.user_units;
  auto is_kernels = [](const Probe* probe) { return is_awaited_kernel_probe(*probe); };
  for (size_t i = 0; i < compilation.meaning.clauses.size(); ++i) {
    const ClauseInstance& clause = compilation.meaning.clauses[i];
    if (!is_awaited(clause)) continue;
    UnitId unit = compilation.sources.locate(clause.clause->probes[clause.specifier].at.range.begin).unit;
    awaited_.push_back({.clause = i,
                        .unit = static_cast<size_t>(std::ranges::find(units, unit) - units.begin()),
                        .description = clause.bound_to(),
                        .may_match_nothing = may_match_nothing(compilation, unit),
                        .is_of_kernel = std::ranges::any_of(clause.probes, is_kernels)});
  }
}

std::vector<size_t> AwaitedProbes::counts(size_t unit_count) const {
  std::vector<size_t> counts(unit_count);
  for (const Awaited& awaited : awaited_) ++counts[awaited.unit];
  return counts;
}

bool AwaitedProbes::has_some_of_processes() const { return !std::ranges::all_of(awaited_, &Awaited::is_of_kernel); }

void AwaitedProbes::remove_matched(const Compilation& recompiled) {
  std::erase_if(awaited_, [&](const Awaited& each) { return !is_awaited(recompiled.meaning.clauses[each.clause]); });
}

std::vector<std::string> AwaitedProbes::unmatched_messages(Host& host, bool is_quiet) const {
  std::vector<std::string> lines;
  for (const Awaited& each : awaited_) {
    if (is_quiet && each.may_match_nothing) continue;
    // A pattern may match nothing: perhaps no process ran such a program, or no such module was loaded.
    if (is_glob(each.description.provider) || each.is_of_kernel) continue;
    std::string line = fmt::format("probe description {} never matched any probes", to_string(each.description));
    // Report the mistake found when the process was last examined. Its exit explains nothing.
    auto mistake = host.mistake(each.description);
    if (mistake && mistake->tag != Tag::D_PROC_GRAB) line += ": " + mistake->message;
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace dscope
