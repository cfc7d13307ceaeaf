// The summary of --dry-run for people, and as JSON.
#include <algorithm>
#include <cmath>
#include <span>

#include "driver/inspect/run_summary.h"
#include "runtime/output/json_value.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t heading_width = 14;  // columns before the values of a section
// The summary fits one screen.
constexpr size_t max_programs = 10, max_programs_with_helpers = 3, max_maps = 8;

std::string count_of(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double kib = static_cast<double>(bytes) / 1024;
  return kib < 1024 ? fmt::format("{:.4g} KiB", kib) : fmt::format("{:.4g} MiB", kib / 1024);
}

// Two significant digits: the estimates have no more.
uint64_t rounded(double value) {
  double unit = value < 100 ? 1 : std::pow(10, std::floor(std::log10(value)) - 1);
  return static_cast<uint64_t>(std::round(value / unit) * unit);
}

std::string shortened(std::string_view text, size_t width) {
  return text.size() <= width ? std::string(text) : fmt::format("{}...", text.substr(0, width - 3));
}

std::string line(std::string_view heading, std::string_view text, size_t width) {
  size_t room = std::max<size_t>(width, 40) - heading_width;
  std::string lines;
  while (true) {
    size_t end = text.size() <= room ? text.size() : text.rfind(' ', room);
    if (end == text.npos || end == 0) end = std::min(room, text.size());
    lines += fmt::format("{:<{}}{}\n", heading, heading_width, text.substr(0, end));
    if (end >= text.size()) return lines;
    text.remove_prefix(end + (text[end] == ' ' ? 1 : 0));
    heading = "";
  }
}

std::string mechanism_text(const ProbeGroup& group) {
  std::string text = group.mechanism;
  if (!group.target.empty()) text += " " + group.target;
  if (group.attachments > 1) text += fmt::format(" ({} attachments)", group.attachments);
  return text;
}

std::string event_text(const std::optional<uint32_t>& ns) { return ns ? fmt::format("{} ns", *ns) : "not measured"; }

std::string probes_text(const RunSummary& summary, size_t width) {
  uint64_t count = 0;
  for (const ProbeGroup& group : summary.probes) count += group.probes;
  std::string text = line("probes", std::to_string(count), width);
  for (const ProbeGroup& group : summary.probes) {
    std::string end = ", " + event_text(group.event_ns);
    std::string provider = fmt::format("  {}", group.provider);
    text +=
        line(provider.size() < heading_width ? provider : provider + " ",
             fmt::format("{:>6}  {}{}", group.probes,
                         shortened(mechanism_text(group), std::max<size_t>(width, 60) - 8 - heading_width - end.size()),
                         end),
             width);
  }
  return text;
}

std::string range_text(double min, double max) {
  return rounded(min) == rounded(max) ? std::to_string(rounded(min))
                                      : fmt::format("{} to {}", rounded(min), rounded(max));
}

// "92 to 450 *", or "12 to 370 + event" if the cost of the mechanism is unknown.
std::string time_text(const ProgramSummary& program) {
  double event = program.event_ns.value_or(0);
  return fmt::format("{}{}{}", range_text(program.min_ns + event, program.max_ns + event),
                     program.event_ns ? "" : " + event", program.has_loops ? " *" : "");
}

std::string program_row(const ProgramSummary& program, size_t name_width) {
  std::string more = program.probes > 1 ? fmt::format(" +{}", program.probes - 1) : "";
  std::string name = shortened(program.name, name_width - 3 - more.size()) + more;
  return fmt::format("  {:<{}} {:>6} {:>8} {:>7}  {}\n", name, name_width - 3, program.instructions,
                     rounded(static_cast<double>(program.verifier_instructions)), bytes_text(program.stack_bytes),
                     time_text(program));
}

// The helpers that `programs` call, each one once: "map_lookup_elem, ktime_get_ns".
std::string helpers_text(std::span<const ProgramSummary> programs) {
  std::string text;
  std::vector<std::string_view> known;
  for (const ProgramSummary& program : programs)
    for (const std::string& helper : program.helpers) {
      if (std::ranges::find(known, helper) != known.end()) continue;
      known.push_back(helper);
      text += (text.empty() ? "" : ", ") + helper;
    }
  return text;
}

std::string programs_text(const RunSummary& summary, size_t width) {
  constexpr size_t column_widths = 7 + 9 + 8 + 2 + 22;  // of the numbers of a program
  size_t name_width = std::max<size_t>(width, 80) - column_widths;
  std::span<const ProgramSummary> programs = summary.programs;
  std::span<const ProgramSummary> shown = programs.first(std::min(programs.size(), max_programs));
  std::string text = fmt::format("{:<{}}{:<{}} {:>6} {:>8} {:>7}  {}\n", "programs", heading_width, programs.size(),
                                 name_width - heading_width - 1, "insns", "verified", "stack", "ns/event");
  bool has_helpers_each = programs.size() <= max_programs_with_helpers;
  for (size_t i = 0; i < shown.size(); ++i) {
    text += program_row(shown[i], name_width);
    if (!has_helpers_each) continue;
    if (std::string helpers = helpers_text(shown.subspan(i, 1)); !helpers.empty())
      text += line("    calls", helpers, width);
  }
  if (shown.size() < programs.size()) text += fmt::format("  and {} more\n", programs.size() - shown.size());
  std::string helpers = has_helpers_each ? "" : helpers_text(programs);
  return helpers.empty() ? text : text + line("calls", "all programs: " + helpers, width);
}

std::string maps_text(const RunSummary& summary, size_t width) {
  std::string text = line("maps",
                          fmt::format("{} in total, of which {} for each of {}", bytes_text(summary.map_bytes()),
                                      bytes_text(summary.map_bytes_per_cpu()), count_of(summary.cpus, "CPU")),
                          width);
  size_t room = std::max<size_t>(width, 72) - 46;
  std::span<const MapSummary> maps = summary.maps;
  for (const MapSummary& map : maps.first(std::min(maps.size(), max_maps))) {
    std::string size = map.is_per_thread ? bytes_text(map.bytes) + " a thread"
                       : map.bytes_per_cpu != 0
                           ? fmt::format("{}, {} a CPU", bytes_text(map.bytes), bytes_text(map.bytes_per_cpu))
                           : bytes_text(map.bytes);
    text += fmt::format("  {:<{}} {:<14} {}\n", shortened(map.content, room), room, map.kind, size);
  }
  if (maps.size() > max_maps) text += fmt::format("  and {} smaller\n", maps.size() - max_maps);
  return text;
}

// "raise(), system() in line 1; copyout() in line 3 of x.d"
std::string destructive_text(std::span<const DestructiveCall> calls) {
  if (calls.empty()) return "nothing";
  std::string text;
  for (size_t i = 0; i < calls.size(); ++i) {
    bool is_last_of_line =
        i + 1 == calls.size() || calls[i + 1].line != calls[i].line || calls[i + 1].unit != calls[i].unit;
    text += fmt::format("{}()", calls[i].name);
    if (!is_last_of_line) {
      text += ", ";
      continue;
    }
    text += fmt::format(" in line {}{}", calls[i].line, calls[i].unit.empty() ? "" : " of " + calls[i].unit);
    if (i + 1 < calls.size()) text += "; ";
  }
  return text;
}

}  // namespace

std::string summary_text(const RunSummary& summary, size_t width) {
  std::string text =
      line("machine", fmt::format("Linux {}, {}", summary.kernel_release, count_of(summary.cpus, "CPU")), width);
  text += probes_text(summary, width);
  text += programs_text(summary, width);
  text += maps_text(summary, width);
  std::string_view heading = "privileges";
  for (const std::string& privilege : summary.privileges) text += line(std::exchange(heading, ""), privilege, width);
  text += line("destructive", destructive_text(summary.destructive), width);
  std::string note =
      "verified and ns/event are estimates, from costs measured on one machine; the verifier's limit is 1,000,000 "
      "instructions";
  if (std::ranges::any_of(summary.programs, &ProgramSummary::has_loops)) note += "; *: loops counted once";
  return text + line("note", note, width);
}

std::string summary_json(const RunSummary& summary) {
  Json json{
      {"type", "dry-run"}, {"version", 1}, {"machine", {{"release", summary.kernel_release}, {"cpus", summary.cpus}}}};
  auto event = [](const std::optional<uint32_t>& ns) { return ns ? Json(*ns) : Json(nullptr); };
  Json probes = Json::array(), programs = Json::array(), maps = Json::array(), destructive = Json::array();
  for (const ProbeGroup& group : summary.probes)
    probes.push_back({{"provider", json_text(group.provider)},
                      {"mechanism", group.mechanism},
                      {"probes", group.probes},
                      {"attachments", group.attachments},
                      {"event_ns", event(group.event_ns)}});
  for (const ProgramSummary& program : summary.programs)
    programs.push_back({{"name", json_text(program.name)},
                        {"probes", program.probes},
                        {"mechanism", program.mechanism},
                        {"instructions", program.instructions},
                        {"verifier_instructions", program.verifier_instructions},
                        {"stack_bytes", program.stack_bytes},
                        {"helpers", program.helpers},
                        {"min_ns", rounded(program.min_ns)},
                        {"max_ns", rounded(program.max_ns)},
                        {"event_ns", event(program.event_ns)},
                        {"has_loops", program.has_loops}});
  for (const MapSummary& map : summary.maps)
    maps.push_back({{"name", map.name},
                    {"content", json_text(map.content)},
                    {"kind", map.kind},
                    {"key_size", map.key_size},
                    {"value_size", map.value_size},
                    {"entries", map.entries},
                    {"bytes", map.bytes},
                    {"bytes_per_cpu", map.bytes_per_cpu},
                    {"is_per_thread", map.is_per_thread}});
  for (const DestructiveCall& call : summary.destructive)
    destructive.push_back({{"unit", json_text(call.unit)}, {"line", call.line}, {"call", call.name}});
  json["probes"] = std::move(probes);
  json["programs"] = std::move(programs);
  json["maps"] = std::move(maps);
  json["memory"] = {{"bytes", summary.map_bytes()}, {"bytes_per_cpu", summary.map_bytes_per_cpu()}};
  json["privileges"] = summary.privileges;
  json["destructive"] = std::move(destructive);
  return json.dump() + "\n";
}

}  // namespace dscope
