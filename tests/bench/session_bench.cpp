// How long until very many probes are watched, and until Ctrl-C ends it: all system calls; functions of the kernel.
#include <unistd.h>

#include "parts.h"

namespace dscope::bench {
namespace {

// Without a program of the hand-written loader if `question` names none.
Result<void> measure_session(const Options& options, Report& report, const Question& question, const std::string& what,
                             const std::string& slow_peer) {
  Figure attach_cpu{what + ": CPU until attached", "ms", Budget{Limit::AtMost, 20}};
  Figure attach_wall{what + ": wall until attached", "ms", {}};
  Figure exit_wall{what + ": Ctrl-C to exit", "ms", Budget{Limit::AtMost, 50}};
  Figure cpu{what + ": CPU of the whole run", "ms", {}};
  Figure memory{what + ": peak memory", "MiB", {}};
  for (const Peer peer : peers_of(options)) {
    if (peer == Peer::Hand && question.hand.empty()) continue;
    if (peer == Peer::Bpftrace && options.quick) {
      report.notes.push_back(slow_peer);
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

}  // namespace

Result<void> measure_sessions(const Options& options, Report& report) {
  DS_TRY_VOID(measure_session(options, report,
                              {"syscall:::entry { @[probefunc] = count(); }", "count_by_call",
                               "tracepoint:syscalls:sys_enter_* { @[probe] = count(); }"},
                              "@[probefunc] of syscall:::entry",
                              "bpftrace needs half a minute to leave syscalls:*; left out of the quick mode"));
  if (!run_to_end({options.dscope, "-en", "fbt::vfs_read:entry"})) {
    report.notes.push_back("this kernel lets nobody trace its functions: fbt is left out");
    return {};
  }
  return measure_session(
      options, report, {"fbt::vfs_*:entry { @[probefunc] = count(); }", "", "kprobe:vfs_* { @[probe] = count(); }"},
      "@[probefunc] of fbt::vfs_*:entry", "bpftrace leaves kprobes slowly; left out of the quick mode");
}

}  // namespace dscope::bench
