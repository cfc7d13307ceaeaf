// pid probes: the time to attach to thousands of functions of a process, and the cost of a probed call. The process is
// this one.
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "machine.h"
#include "parts.h"
#include "support/format.h"

extern "C" void timed_plain();
extern "C" void timed_marked();

namespace dscope::bench {

namespace {

Command command_for(const Options& options, const std::string& clause) {
  return {options.dscope, "-q", "-p", std::to_string(getpid()), "-n", "BEGIN { printf(\"ready\\n\"); } " + clause};
}

Result<void> measure_attaching(const Options& options, Report& report, const std::string& label,
                               const std::string& clause) {
  Figure wall{label + ": wall until attached", "ms", {}};
  Figure leave{label + ": Ctrl-C to exit", "ms", {}};
  for (int round = 0; round < rounds_of(options, Peer::Ours); round++) {
    DS_TRY(Tracer tracer, Tracer::start(command_for(options, clause), -1));
    DS_TRY(const double ready, tracer.wait_ready());
    const Outcome outcome = tracer.stop();
    if (outcome.status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
    wall.of(Peer::Ours).push_back(ready);
    leave.of(Peer::Ours).push_back(outcome.exit_ms);
  }
  report.figures.insert(report.figures.end(), {wall, leave});
  return {};
}

double nanoseconds_per_call(void (*function)()) {
  constexpr int runs = 20, calls = 1000;
  Samples samples;
  for (int run = 0; run < runs; run++) {
    const double start = wall_ms();
    for (int i = 0; i < calls; i++) function();
    samples.push_back((wall_ms() - start) * 1e6 / calls);
  }
  return quantile(samples, 0.1);
}

Result<double> cost_beside(const Command& command, void (*call)()) {
  DS_TRY(Tracer tracer, Tracer::start(command, -1));
  DS_TRY_VOID(tracer.wait_ready());
  const double cost = nanoseconds_per_call(call);
  if (tracer.stop().status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
  return cost;
}

Result<void> measure_calls(const Options& options, Report& report, const std::string& function, void (*call)()) {
  struct Way {
    const char *probe, *setting, *title, *bpftrace;
  };
  // bpftrace supports entry probes here, but cannot report the offset that a function returns from.
  constexpr Way ways[] = {{"entry", "uretprobes=off", "entry counted", "uprobe"},
                          {"return", "uretprobes=off", "return counted", nullptr},
                          {"return", "uretprobes=on", "return counted by uretprobe", "uretprobe"}};
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  for (const Way& way : ways) {
    Figure cost{"a call of a function that begins with " + function + ", " + way.title, "ns", {}};
    const std::string symbol = call == timed_plain ? "timed_plain" : "timed_marked";
    std::vector<std::string> command =
        command_for(options, "pid$target:a.out:" + symbol + ":" + way.probe + " { @ = count(); }");
    command.insert(command.begin() + 1, {"-x", way.setting});
    DS_TRY(const double ours, cost_beside(command, call));
    cost.of(Peer::Ours).push_back(ours);
    if (options.bpftrace && way.bpftrace != nullptr) {
      const Question question{
          .d = "", .hand = "", .bpftrace = fmt::format("{}:{}:{} {{ @ = count(); }}", way.bpftrace, program, symbol)};
      DS_TRY(const double theirs, cost_beside(session_command(options, question, Peer::Bpftrace), call));
      cost.of(Peer::Bpftrace).push_back(theirs);
    }
    report.figures.push_back(std::move(cost));
  }
  return {};
}

}  // namespace

Result<void> measure_processes(const Options& options, Report& report) {
  DS_TRY_VOID(measure_attaching(options, report, "pid:libc::entry", "pid$target:libc::entry { @ = count(); }"));
  DS_TRY_VOID(measure_attaching(options, report, "entry of 10,000 functions",
                                "pid$target:a.out:many_*:entry { @[probefunc] = count(); }"));
  DS_TRY_VOID(measure_attaching(options, report, "return of 10,000 functions",
                                "pid$target:a.out:many_*:return { @[probefunc] = count(); }"));
  DS_TRY_VOID(measure_calls(options, report, "push", timed_plain));
  return measure_calls(options, report, "endbr64", timed_marked);
}

}  // namespace dscope::bench
