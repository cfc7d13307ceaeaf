#include "driver/replay/capture_replay.h"

#include <algorithm>
#include <numeric>

#include "driver/replay/capture_firings.h"
#include "driver/replay/capture_host.h"
#include "driver/replay/capture_symbols.h"
#include "driver/replay/recorded_threads.h"
#include "driver/replay/recorded_uses.h"
#include "driver/replay/replay_run.h"
#include "support/print_message.h"

namespace dscope {

namespace {

// Programs see gaps where the recorder had no room: a sum may be too small.
void report_losses(const std::string& program_name, const CaptureInfo& info) {
  uint64_t total = std::accumulate(info.lost_events.begin(), info.lost_events.end(), uint64_t{0});
  if (total == 0) return;
  std::string by_cpu;
  for (size_t cpu = 0; cpu < info.lost_events.size(); ++cpu)
    if (info.lost_events[cpu] != 0)
      by_cpu += fmt::format("{}{} on CPU {}", by_cpu.empty() ? "" : ", ", info.lost_events[cpu], cpu);
  std::string_view advice = info.source.empty() ? ": a larger bufsize loses fewer" : "";
  print_message("{}: the recording lost {} events ({}){}\n", program_name, total, by_cpu, advice);
}

}  // namespace

Result<int> replay_capture(const CommandLine& command_line, OptionValues& options,
                           std::unique_ptr<CaptureReader> reader) {
  const CaptureInfo& info = reader->info();
  CaptureHost host{info};
  CaptureSymbols symbols{info};
  CaptureFirings firings{std::move(reader), info.has(CapturePart::Strings)};
  report_losses(command_line.program_name, info);
  DS_TRY(int status,
         replay(command_line, options,
                {.host = host,
                 .firings = firings,
                 .symbols = symbols,
                 .probes = host.same_probes(),
                 .recordings = info.recordings,
                 .target_pid = info.target_pid,
                 .tracer = info.tracer,
                 .libraries = {recorded_thread_library(info)},
                 .key_sources = {.has_stacks = info.has(CapturePart::Stacks), .has_descriptors = false},
                 .check = [&](Compilation& compilation) { check_recorded_uses(compilation, info, options); },
                 .explain = [&](Compilation& compilation) { explain_missing_member(compilation, info); }}));
  if (std::string damage = firings.damage(); !damage.empty())
    print_message("{}: {}\n", command_line.program_name, damage);
  return status;
}

}  // namespace dscope
