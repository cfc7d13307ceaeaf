#include "runtime/session/session_messages.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>

#include "runtime/session/adjustment_text.h"
#include "support/text/format_join.h"

namespace dscope {
namespace {

// "module:function:name" of the probes in `rows`, at most four of them.
std::string probe_names(const ProgramPlan& plan, const std::vector<uint32_t>& rows) {
  constexpr size_t max_names = 4;
  std::vector<std::string> names;
  for (uint32_t row : rows) {
    if (row >= plan.probes.size()) continue;
    const ProbePlan& probe = plan.probes[row];
    std::string name = fmt::format("{}:{}:{}", probe.module, probe.function, probe.name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    if (names.size() > max_names) break;
  }
  if (names.size() > max_names) names.back() = "...";
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

void SessionMessages::write_line(const std::string& text) {
  messages_.write(fmt::format("{}: {}\n", program_name_, text));
}

void SessionMessages::write_now(const std::string& text) {
  write_line(text);
  messages_.flush();
}

void SessionMessages::report_adjustments(const ProgramPlan& plan, const MapSet& maps) {
  if (plan.options.is_on(OptionId::Quietresize)) return;
  std::vector<CreatedMap> created;
  for (const MapPlan& map : plan.maps) created.push_back({&map, maps.at(map.name).max_entries()});
  for (const std::string& text : lowered_size_texts(plan.options, created)) write_line(text);
  int64_t period = plan.options.number(OptionId::Statusrate);
  if (period > 0 && static_cast<uint64_t>(period) < min_status_period_ns)
    write_line(reduced_rate_text("status rate", min_status_period_ns));
}

void SessionMessages::report_memory(const ProgramPlan& plan, const MapSet& maps) {
  if (plan.aggregation_budget == 0) return;
  std::set<std::string_view> names;
  for (const AggregationPlan& aggregation : plan.aggregations)
    for (std::string_view name : {aggregation.map, aggregation.short_map}) names.insert(name);
  std::vector<CreatedMap> created;
  for (const MapPlan& map : plan.maps)
    if (map.kind == MapKind::Hash && names.contains(map.name))
      created.push_back({&map, maps.at(map.name).max_entries()});
  write_line(aggregation_memory_text(plan.aggregation_budget, created));
}

void SessionMessages::report_attachments(const ProgramPlan& plan, const LoadedObject& loaded,
                                         const AttachedPrograms& attached) {
  constexpr size_t max_silent_single_uprobes = 10;
  if (size_t count = attached.omitted_rows().size(); count != 0)
    write_line(fmt::format("{} probe{} left out: the kernel cannot probe {} instruction{}: {}", count,
                           count == 1 ? " is" : "s are", count == 1 ? "its" : "their", count == 1 ? "" : "s",
                           probe_names(plan, attached.omitted_rows())));
  if (size_t count = loaded.omitted_functions + attached.omitted_functions(); count != 0)
    write_line(fmt::format("{} probe{} left out: the kernel cannot probe {} function{}", count,
                           count == 1 ? " is" : "s are", count == 1 ? "its" : "their", count == 1 ? "" : "s"));
  if (size_t count = attached.single_uprobes(); count > max_silent_single_uprobes)
    write_line(
        fmt::format("{} probes of processes are attached one by one: this kernel has no uprobe.multi (Linux 6.6) and "
                    "takes about {} s to detach them",
                    count, count / 10));
}

void SessionMessages::report_untraced_process(uint32_t pid, const Error& error) {
  write_now(fmt::format("cannot trace the new code of process {}: {}", pid, error.message()));
}

void SessionMessages::report_untraced_modules(const std::vector<std::string>& names, const Error& error) {
  write_now(fmt::format("cannot trace module {}: {}", fmt::join(names, ", "), error.message()));
}

void SessionMessages::report_suspension(const std::string& clause, double share, double max_share,
                                        double pause_seconds) {
  write_now(fmt::format("clause {} is detached for {:g} s: it used {:.2g} % of a CPU, and cpubudget is {:g} %", clause,
                        pause_seconds, share * 100, max_share * 100));
}

void SessionMessages::report_resumption(const std::string& clause) {
  write_now(fmt::format("clause {} is attached again", clause));
}

void SessionMessages::report_failed_resumption(const std::string& clause, const Error& error) {
  write_now(fmt::format("clause {} cannot be attached again: {}", clause, error.message()));
}

void SessionMessages::report_failed_record(const Error& error) {
  if (++failed_records_ == 1) write_now(fmt::format("cannot print a record: {}", error.message()));
}

void SessionMessages::report_failed_records() {
  if (failed_records_ > 1) write_line(fmt::format("{} records could not be printed", failed_records_));
}

void SessionMessages::report_unwinding(const ProcessTables& tables) {
  if (std::string text = tables.summary(); !text.empty()) write_line(text);
}

void SessionMessages::report_failed_symbols(uint32_t pid, const Error& error) {
  std::string owner = pid == 0 ? "the kernel" : fmt::format("process {}", pid);
  write_now(fmt::format("cannot look up names of {}: {}: its addresses appear as numbers", owner, error.message()));
}

void SessionMessages::report_late_probes(const LibraryWatch::MappedFile& file) {
  using namespace std::chrono;
  auto age = steady_clock::now().time_since_epoch() - nanoseconds{file.time_ns};
  write_now(
      fmt::format("process {} ran code of {} for up to {} ms before its probes were attached: those firings are "
                  "missing",
                  file.pid, file.path, ceil<milliseconds>(age).count()));
}

}  // namespace dscope
