#include "driver/inspect/capture_description.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <vector>

#include "capture/capture_reader.h"
#include "driver/import/open_recording.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t max_rows = 10;
constexpr double ns_per_second = 1e9;

template <typename... Args>
void append_line(std::string& out, std::string_view label, fmt::format_string<Args...> text, Args&&... args) {
  out += fmt::format("{:<12}{}\n", label, visible_line(fmt::format(text, std::forward<Args>(args)...)));
}

std::string utc_text(uint64_t wall_ns) {
  auto seconds = static_cast<time_t>(wall_ns / 1'000'000'000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  size_t size = ::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text.data(), size};
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string parts_text(const CaptureInfo& info) {
  std::vector<std::string> words;
  for (CapturePart part : info.parts) words.emplace_back(capture_part_words[static_cast<size_t>(part)]);
  return words.empty() ? "none" : joined(words);
}

std::string name_of(const CapturedProbe& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
}

struct Counts {
  std::vector<uint64_t> by_probe;
  std::map<std::string, uint64_t> by_program;
  uint64_t total = 0;
};

Counts count_events(CaptureReader& reader) {
  Counts counts{.by_probe = std::vector<uint64_t>(reader.info().probes.size()), .by_program = {}, .total = 0};
  std::vector<uint64_t> by_thread;
  CaptureBatch batch;
  while (reader.next(batch)) {
    by_thread.resize(reader.tables().threads.size());
    for (const CaptureEvent& event : batch.events) {
      ++counts.by_probe[event.probe];
      ++by_thread[event.thread];
    }
    counts.total += batch.events.size();
  }
  for (size_t i = 0; i < by_thread.size(); ++i) counts.by_program[reader.tables().threads[i].execname] += by_thread[i];
  return counts;
}

void append_top(std::string& out, std::string_view title, std::vector<std::pair<uint64_t, std::string>> rows) {
  std::erase_if(rows, [](const auto& row) { return row.first == 0; });
  std::ranges::stable_sort(rows, std::greater<>{}, &std::pair<uint64_t, std::string>::first);
  if (!rows.empty()) out += fmt::format("\n{:>12}  {}\n", "EVENTS", title);
  for (size_t i = 0; i < rows.size() && i < max_rows; ++i)
    out += fmt::format("{:>12}  {}\n", rows[i].first, visible_line(rows[i].second));
  if (rows.size() > max_rows) out += fmt::format("{:>12}  and {} more\n", "", rows.size() - max_rows);
}

void append_source(std::string& out, const CaptureInfo& info, uint64_t event_count, const std::string& path) {
  std::string kind = info.source.empty() ? fmt::format("format {}", info.version) : info.source;
  std::error_code problem;  // a directory has no size
  uint64_t bytes = std::filesystem::file_size(path, problem);
  append_line(out, info.source.empty() ? "capture" : "recording", "{}, {} events{}", kind, event_count,
              problem ? "" : fmt::format(", {} bytes", bytes));
}

void append_recordings(std::string& out, const CaptureInfo& info) {
  for (const CapturedClocks& clocks : info.recordings) {
    double seconds = clocks.end > clocks.begin ? static_cast<double>(clocks.end - clocks.begin) / ns_per_second : 0;
    append_line(out, "recorded", "{}, {:.3f} s", utc_text(clocks.begin + clocks.boot_to_wall_ns), seconds);
  }
}

void append_losses(std::string& out, const CaptureInfo& info) {
  uint64_t lost = std::accumulate(info.lost_events.begin(), info.lost_events.end(), uint64_t{0});
  append_line(out, "lost", "{} event{}", lost, lost == 1 ? "" : "s");
  for (size_t cpu = 0; cpu < info.lost_events.size(); ++cpu)
    if (info.lost_events[cpu] != 0) append_line(out, "", "{} on CPU {}", info.lost_events[cpu], cpu);
}

}  // namespace

Result<std::string> describe_capture(const std::string& path) {
  DS_TRY(OpenedRecording recording, open_recording(path));
  CaptureReader& reader = *recording.reader;
  Counts counts = count_events(reader);
  const CaptureInfo& info = reader.info();
  std::string out;
  append_source(out, info, counts.total, path);
  append_recordings(out, info);
  if (!info.facts.kernel_release.empty())
    append_line(out, "machine", "Linux {} ({}), {} CPU{}", info.facts.kernel_release, info.facts.machine,
                info.facts.online_cpu_count, info.facts.online_cpu_count == 1 ? "" : "s");
  if (!info.target_command.empty()) append_line(out, "command", "{}", info.target_command);
  append_line(out, info.source.empty() ? "probes" : "written by", "{} ({} probe{})", joined(info.descriptions),
              info.probes.size(), info.probes.size() == 1 ? "" : "s");
  append_line(out, "parts", "{}", parts_text(info));
  if (info.has(CapturePart::Stacks))
    append_line(out, "stacks", "{} different, {} addresses with names", reader.tables().stacks.size() - 1,
                info.symbols.size());
  append_losses(out, info);
  for (const std::string& damage : {reader.damage(), recording.damage})
    if (!damage.empty()) append_line(out, "damage", "{}: the events before it follow", damage);
  std::vector<std::pair<uint64_t, std::string>> probes, programs;
  for (size_t i = 0; i < counts.by_probe.size(); ++i) probes.emplace_back(counts.by_probe[i], name_of(info.probes[i]));
  for (const auto& [name, count] : counts.by_program) programs.emplace_back(count, name);
  append_top(out, "PROBE", std::move(probes));
  append_top(out, "PROGRAM", std::move(programs));
  return out;
}

}  // namespace dscope
