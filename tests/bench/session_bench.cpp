// The time to attach to very many probes, and to detach after Ctrl-C: all system calls; all tracepoints, with and
// without arguments, compared with a single tracepoint; kernel functions.
#include <unistd.h>

#include "parts.h"

namespace dscope::bench {
namespace {

struct Session {
  std::string label;
  Question question;     // peers without a program are omitted
  double attach_cpu_ms;  // budget
};

Result<void> measure_session(const Options& options, Report& report, const Session& session) {
  const auto& [label, question, budget] = session;
  Figure attach_cpu{label + ": CPU until attached", "ms", Budget{Limit::AtMost, budget}};
  Figure attach_wall{label + ": wall until attached", "ms", {}};
  Figure exit_wall{label + ": Ctrl-C to exit", "ms", Budget{Limit::AtMost, 50}};
  Figure cpu{label + ": CPU of the whole run", "ms", {}};
  Figure memory{label + ": peak memory", "MiB", {}};
  for (const Peer peer : peers_of(options)) {
    if (peer == Peer::Hand && question.hand.empty()) continue;
    if (peer == Peer::Bpftrace && (options.quick || question.bpftrace.empty())) continue;
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
  if (options.quick) report.notes.push_back("bpftrace needs half a minute to leave many probes; not in the quick mode");
  std::vector<Session> sessions = {
      {"@[probefunc] of syscall:::entry",
       {"syscall:::entry { @[probefunc] = count(); }", "count_by_call",
        "tracepoint:syscalls:sys_enter_* { @[probe] = count(); }"},
       20},
      {"@[probename] of sdt:::", {"sdt::: { @[probename] = count(); }", "", ""}, 500},
      {"sum(arg0) of sdt:::", {"sdt::: { @ = sum(arg0); }", "", ""}, 500},
      {"one tracepoint", {"sdt:sched::sched_switch { @ = count(); }", "", ""}, 20},
  };
  if (run_to_end({options.dscope, "-en", "fbt::vfs_read:entry"}))
    sessions.push_back({"@[probefunc] of fbt tcp_*, vfs_*",
                        {"fbt:vmlinux:tcp_*:entry,fbt:vmlinux:vfs_*:entry { @[probefunc] = count(); }", "",
                         "kprobe:tcp_*,kprobe:vfs_* { @[probe] = count(); }"},
                        500});
  else report.notes.push_back("this kernel lets nobody trace its functions: fbt is left out");
  for (const Session& session : sessions) DS_TRY_VOID(measure_session(options, report, session));
  return {};
}

}  // namespace dscope::bench
