// printf of two integers into a file, as fast as one CPU can fire it: the number of lines that arrive, their cost, and
// whether every lost line is reported.
#include <unistd.h>

#include <cstdio>

#include "machine.h"
#include "parts.h"

namespace dscope::bench {

namespace {

// Counts the lines that start with `prefix` (this process's pid), without loading the whole file.
uint64_t lines_with(const std::string& path, const std::string& prefix) {
  FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return 0;
  uint64_t count = 0;
  char line[256];
  while (std::fgets(line, sizeof(line), file)) count += std::string_view(line).starts_with(prefix) ? 1 : 0;
  std::fclose(file);
  return count;
}

// Sum of the numbers in "N drops on CPU", "lost N" and "Lost N events", the texts by which the tracers report losses.
uint64_t reported_drops(const std::string& text) {
  uint64_t sum = 0;
  for (const char* word : {" drops on CPU", " drop on CPU"}) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const size_t digits = text.find_last_not_of("0123456789", at - 1) + 1;
      if (digits < at) sum += std::stoull(text.substr(digits, at - digits));
    }
  }
  for (const char* word : {"lost ", "Lost "}) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      sum += std::strtoull(text.c_str() + at + 5, nullptr, 10);
    }
  }
  return sum;
}

// bpftrace reports losses among its output lines.
std::string losses_in_output(const std::string& path) {
  FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return "";
  std::string found;
  char line[256];
  while (std::fgets(line, sizeof(line), file)) {
    if (std::string_view(line).starts_with("Lost ")) found += line;
  }
  std::fclose(file);
  return found;
}

struct Flood {
  uint64_t produced = 0, printed = 0, dropped = 0;
  double seconds = 0, cpu_seconds = 0;
  double peak_mib = 0;
};

Result<Flood> measure(const Command& command, double loop_ms) {
  constexpr int calls_per_look = 1000;
  DS_TRY(Tracer tracer, Tracer::start(command, tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  usleep(20'000);
  Flood flood;
  const double cpu_before = tracer.cpu_ms(), start = wall_ms();
  while (wall_ms() - start < loop_ms) {
    make_calls(Loop::Getppid, calls_per_look);
    flood.produced += calls_per_look;
  }
  const Outcome outcome = tracer.stop();
  if (outcome.status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
  flood.seconds = (wall_ms() - start) / 1e3;
  flood.cpu_seconds = (outcome.cpu_ms - cpu_before) / 1e3;
  flood.peak_mib = outcome.peak_mib;
  flood.printed = lines_with(tracer.output_path(), fmt::format("{} ", getpid()));
  flood.dropped = reported_drops(tracer.error_text() + losses_in_output(tracer.output_path()));
  return flood;
}

}  // namespace

Result<void> measure_output(const Options& options, Report& report) {
  const Question question = {"syscall::getppid:entry { printf(\"%d %d\\n\", pid, cpu); }", "printf",
                             "tracepoint:syscalls:sys_enter_getppid { printf(\"%d %d\\n\", pid, cpu); }"};
  const std::string label = "flat-out printf";
  Figure produced{label + ": events", "k/s", {}};
  Figure printed{label + ": lines in the file", "k/s", Budget{Limit::AtLeast, 1000}};
  Figure per_cpu{label + ": lines per CPU second", "k/s", {}};
  Figure dropped{label + ": reported as dropped", "%", {}};
  Figure unaccounted{label + ": neither printed nor reported", "events", Budget{Limit::AtMost, 0}};
  Figure memory{label + ": peak memory", "MiB", {}};
  for (const Peer peer : peers_of(options)) {
    const int rounds = options.quick || peer == Peer::Bpftrace ? 1 : 5;
    for (int round = 0; round < rounds; round++) {
      DS_TRY(const Flood flood, measure(session_command(options, question, peer), options.quick ? 1000 : 2000));
      const auto lines = static_cast<double>(flood.printed), events = static_cast<double>(flood.produced);
      const auto drops = static_cast<double>(flood.dropped);
      produced.of(peer).push_back(events / flood.seconds / 1e3);
      printed.of(peer).push_back(lines / flood.seconds / 1e3);
      per_cpu.of(peer).push_back(lines / flood.cpu_seconds / 1e3);
      dropped.of(peer).push_back(drops / events * 100);
      // Events of other processes may have been dropped too, so only a deficit is meaningful.
      unaccounted.of(peer).push_back(std::max(0.0, events - lines - drops));
      memory.of(peer).push_back(flood.peak_mib);
    }
  }
  report.figures.insert(report.figures.end(), {produced, printed, per_cpu, dropped, unaccounted, memory});
  return {};
}

}  // namespace dscope::bench
