// syscall:::entry { @[probefunc] = count(); }: how long until all system calls are watched, and until Ctrl-C ends it.
#include <unistd.h>

#include "parts.h"

namespace dscope::bench {

Result<void> measure_sessions(const Options& options, Report& report) {
  const Question question = {"syscall:::entry { @[probefunc] = count(); }", "count_by_call",
                             "tracepoint:syscalls:sys_enter_* { @[probe] = count(); }"};
  const std::string what = "@[probefunc] of syscall:::entry";
  Figure attach_cpu{what + ": CPU until attached", "ms", Budget{Limit::AtMost, 20}};
  Figure attach_wall{what + ": wall until attached", "ms", {}};
  Figure exit_wall{what + ": Ctrl-C to exit", "ms", Budget{Limit::AtMost, 50}};
  Figure cpu{what + ": CPU of the whole run", "ms", {}};
  Figure memory{what + ": peak memory", "MiB", {}};
  for (const Peer peer : peers_of(options)) {
    if (peer == Peer::Bpftrace && options.quick) {
      report.notes.push_back("bpftrace needs half a minute to leave syscalls:*; left out of the quick mode");
      continue;
    }
    const int rounds = peer == Peer::Bpftrace ? 1 : rounds_of(options, peer);
    for (int round = 0; round < rounds; round++) {
      DS_TRY(Tracer tracer, Tracer::start(session_command(options, question, peer), -1));
      DS_TRY(const double ready, tracer.wait_ready());
      attach_cpu.of(peer).push_back(tracer.cpu_ms());
      attach_wall.of(peer).push_back(ready);
      usleep(100'000);
      const Outcome outcome = tracer.stop();
      if (outcome.status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
      exit_wall.of(peer).push_back(outcome.exit_ms);
      cpu.of(peer).push_back(outcome.cpu_ms);
      memory.of(peer).push_back(outcome.peak_mib);
    }
  }
  report.figures.insert(report.figures.end(), {attach_cpu, attach_wall, exit_wall, cpu, memory});
  return {};
}

}  // namespace dscope::bench
