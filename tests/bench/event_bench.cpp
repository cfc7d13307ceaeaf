// The cost of one matching event: the time added to a system call, attached and detached alternately, and the time
// inside the BPF programs by the kernel's statistics. A loop of calls runs on one CPU, the tracer on another.
#include <unistd.h>

#include "machine.h"
#include "parts.h"
#include "program_time.h"

namespace dscope::bench {

namespace {

constexpr int timed_runs = 100, counted_runs = 40, calls_per_run = 1000;

struct Event {
  const char* label;
  Question question;
  Loop loop = Loop::Getppid;
  int pause_us = 0;  // between runs of 1,000 calls, if a consumer must keep up
  std::optional<Budget> added, inside;
};

std::vector<Event> all_events() {
  const auto getppid = [](const char* action, const char* hand, const char* bpftrace) {
    return Question{fmt::format("syscall::getppid:entry {{ {} }}", action), hand,
                    fmt::format("tracepoint:syscalls:sys_enter_getppid {{ {} }}", bpftrace)};
  };
  const Budget near_hand{Limit::TimesHand, 1.1}, below_bpftrace{Limit::TimesBpftrace, 0.6};
  return {
      {.label = "@ = count()", .question = getppid("@ = count();", "count", "@ = count();")},
      {.label = "@[execname] = count()",
       .question = getppid("@[execname] = count();", "count_by_name", "@[comm] = count();"),
       .added = near_hand},
      {.label = "@[pid, execname] = count()",
       .question = getppid("@[pid, execname] = count();", "count_by_pid", "@[pid, comm] = count();")},
      {.label = "self->t latency pair, quantize",
       .question = {"syscall::getppid:entry { self->t = timestamp; } syscall::getppid:return /self->t/ "
                    "{ @[execname] = quantize(timestamp - self->t); self->t = 0; }",
                    "latency",
                    "tracepoint:syscalls:sys_enter_getppid { @t[tid] = nsecs; } "
                    "tracepoint:syscalls:sys_exit_getppid /@t[tid]/ "
                    "{ @[comm] = hist(nsecs - @t[tid]); delete(@t[tid]); }"},
       .inside = below_bpftrace},
      {.label = "printf of two integers",
       .question = getppid("printf(\"%d %d\\n\", pid, cpu);", "printf", "printf(\"%d %d\\n\", pid, cpu);"),
       .pause_us = 1000},
      {.label = "@[copyinstr(arg1)] = count()",
       .question = {"syscall::openat:entry { @[copyinstr(arg1)] = count(); }", "count_by_path",
                    "tracepoint:syscalls:sys_enter_openat { @[str(args->filename)] = count(); }"},
       .loop = Loop::Openat,
       .inside = below_bpftrace},
  };
}

// Sum of the counts that a tracer printed: the last number of each line, or the number before the bar of a histogram.
// With `one_per_line`, each line of two integers from a printf counts as one event.
uint64_t printed_events(const std::string& output, bool one_per_line) {
  uint64_t sum = 0;
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    std::string_view line(output.data() + begin, end - begin);
    begin = end + 1;
    if (one_per_line) {
      sum += line.empty() || !std::isdigit(static_cast<unsigned char>(line.front())) ? 0 : 1;
      continue;
    }
    if (line.ends_with('|')) line = line.substr(0, line.find('|'));
    while (line.ends_with(' ')) line.remove_suffix(1);
    const size_t digits = line.find_last_not_of("0123456789") + 1;
    if (digits < line.size()) sum += std::stoull(std::string(line.substr(digits)));
  }
  return sum;
}

struct Cost {
  double added, inside;
  bool complete;  // no event was lost
};

// Time in programs per call, minus `empty_ns` per program run for the clock reads of the kernel's statistics.
Result<double> time_inside(const ProgramIds& before, const Event& event, double empty_ns) {
  DS_TRY(const ProgramTimer timer, ProgramTimer::start(before));
  Samples samples;
  for (int i = 0; i < counted_runs; i++) {
    const ProgramTime start = timer.total();
    make_calls(event.loop, calls_per_run);
    const ProgramTime end = timer.total();
    const double runs = static_cast<double>(end.runs - start.runs);
    samples.push_back((static_cast<double>(end.nanoseconds - start.nanoseconds) - empty_ns * runs) / calls_per_run);
    if (event.pause_us > 0) usleep(static_cast<useconds_t>(event.pause_us));
  }
  return quantile(samples, 0.1);
}

Result<Cost> measure(const Command& command, const Event& event, double empty_ns) {
  const ProgramIds before = loaded_programs();
  double detached = call_cost(event.loop, timed_runs, 0);
  DS_TRY(Tracer tracer, Tracer::start(command, tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  // Tracers print "ready" shortly before the probes are armed.
  usleep(20'000);
  const double attached = call_cost(event.loop, timed_runs, event.pause_us);
  DS_TRY(const double inside, time_inside(before, event, empty_ns));
  if (const Outcome outcome = tracer.stop(); outcome.status != 0) {
    return fail(Error::make("{} ended with status {}: {}", command[0], outcome.status, tracer.error_text()));
  }
  detached = std::min(detached, call_cost(event.loop, timed_runs, 0));
  const uint64_t seen = printed_events(file_text(tracer.output_path()), event.pause_us > 0);
  return Cost{attached - detached, inside, seen >= (timed_runs + counted_runs) * calls_per_run};
}

// The time that the kernel's statistics show for a program that does nothing.
Result<double> empty_program_ns(const Options& options) {
  if (options.hand.empty()) return 50.0;
  const Event event{.label = "empty", .question = {"", "empty", ""}};
  const ProgramIds before = loaded_programs();
  DS_TRY(Tracer tracer, Tracer::start(session_command(options, event.question, Peer::Hand), tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  DS_TRY(const ProgramTimer timer, ProgramTimer::start(before));
  Samples samples;
  for (int i = 0; i < counted_runs; i++) {
    const ProgramTime start = timer.total();
    make_calls(Loop::Getppid, calls_per_run);
    const ProgramTime end = timer.total();
    samples.push_back(static_cast<double>(end.nanoseconds - start.nanoseconds) /
                      static_cast<double>(end.runs - start.runs));
  }
  return quantile(samples, 0.1);
}

}  // namespace

Result<void> measure_events(const Options& options, Report& report) {
  DS_TRY(const double empty_ns, empty_program_ns(options));
  report.notes.push_back(
      fmt::format("{:.0f} ns per program run are the kernel's clock reads and subtracted", empty_ns));
  for (const Event& event : all_events()) {
    Figure added{fmt::format("event {}: added to the call", event.label), "ns", event.added};
    Figure inside{fmt::format("event {}: in programs", event.label), "ns", event.inside};
    std::array<int, peers.size()> incomplete{};
    for (int round = 0; round < rounds_of(options, Peer::Ours); round++) {
      for (const Peer peer : peers_of(options)) {
        if (round >= rounds_of(options, peer)) continue;
        DS_TRY(const Cost cost, measure(session_command(options, event.question, peer), event, empty_ns));
        added.of(peer).push_back(cost.added);
        inside.of(peer).push_back(cost.inside);
        incomplete[static_cast<size_t>(peer)] += cost.complete ? 0 : 1;
      }
    }
    for (const Peer peer : peers_of(options)) {
      const int count = incomplete[static_cast<size_t>(peer)];
      if (count == 0) continue;
      report.notes.push_back(fmt::format("{}: {} missed some events in {} of {} rounds, its figure may be too low",
                                         event.label, peer_name(peer), count, rounds_of(options, peer)));
    }
    report.figures.insert(report.figures.end(), {added, inside});
  }
  return {};
}

}  // namespace dscope::bench
