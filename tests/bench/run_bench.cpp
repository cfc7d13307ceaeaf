// Whole runs, from fork to exit: an empty program, one-liners that end with their target, and one-liners that end at
// once, which have no hand-written counterpart.
#include "parts.h"

namespace dscope::bench {

namespace {

struct Run {
  const char* label;
  Question question;
  bool target;  // ends when the command `true` has ended; otherwise by itself
  std::optional<Budget> cpu, memory;
};

std::vector<Run> all_runs() {
  return {
      {"BEGIN { exit(0); }",
       {"BEGIN { exit(0); }", "begin", "BEGIN { exit(); }"},
       false,
       Budget{Limit::AtMost, 15},
       Budget{Limit::AtMost, 40}},
      {"-c true: @[execname] of syscall:::entry",
       {"syscall:::entry { @[execname] = count(); }", "count_any_by_name",
        "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"},
       true,
       {},
       {}},
      {"-c true: latency pair of read",
       {"syscall::read:entry { self->t = timestamp; } syscall::read:return /self->t/ "
        "{ @[execname] = quantize(timestamp - self->t); self->t = 0; }",
        "latency_of_read",
        "tracepoint:syscalls:sys_enter_read { @t[tid] = nsecs; } tracepoint:syscalls:sys_exit_read /@t[tid]/ "
        "{ @[comm] = hist(nsecs - @t[tid]); delete(@t[tid]); }"},
       true,
       {},
       {}},
      {"-c true: @[copyinstr(arg1), parent's pid] of openat",
       {"syscall::openat:entry { @[copyinstr(arg1), curthread->real_parent->tgid] = count(); }",
        "count_by_path_and_parent",
        "tracepoint:syscalls:sys_enter_openat "
        "{ @[str(args->filename), ((struct task_struct *)curtask)->real_parent->tgid] = count(); }"},
       true,
       {},
       {}},
      // The budget is for a one-liner alone, because starting a target costs some milliseconds.
      {"@[execname, parent's pid] of openat, ended by BEGIN",
       {"syscall::openat:entry { @[execname, curthread->real_parent->tgid] = count(); } BEGIN { exit(0); }", "",
        "tracepoint:syscalls:sys_enter_openat "
        "{ @[comm, ((struct task_struct *)curtask)->real_parent->tgid] = count(); } BEGIN { exit(); }"},
       false,
       Budget{Limit::AtMost, 20},
       {}},
      {"@[copyinstr(arg1), parent's pid] of openat, ended by BEGIN",
       {"syscall::openat:entry { @[copyinstr(arg1), curthread->real_parent->tgid] = count(); } BEGIN { exit(0); }", "",
        "tracepoint:syscalls:sys_enter_openat { @[str(args->filename), ((struct task_struct "
        "*)curtask)->real_parent->tgid] "
        "= count(); } BEGIN { exit(); }"},
       false,
       {},
       {}},
  };
}

}  // namespace

Result<void> measure_runs(const Options& options, Report& report) {
  for (const Run& run : all_runs()) {
    Figure cpu{fmt::format("{}: CPU", run.label), "ms", run.cpu};
    Figure wall{fmt::format("{}: wall", run.label), "ms", {}};
    Figure memory{fmt::format("{}: peak memory", run.label), "MiB", run.memory};
    for (int round = 0; round < rounds_of(options, Peer::Ours); round++) {
      for (const Peer peer : peers_of(options)) {
        if (round >= rounds_of(options, peer)) continue;
        if (peer == Peer::Hand && run.question.hand.empty()) continue;
        DS_TRY(const Outcome outcome, run_to_end(run_command(options, run.question, peer, run.target)));
        cpu.of(peer).push_back(outcome.cpu_ms);
        wall.of(peer).push_back(outcome.wall_ms);
        memory.of(peer).push_back(outcome.peak_mib);
      }
    }
    report.figures.insert(report.figures.end(), {cpu, wall, memory});
  }
  return {};
}

}  // namespace dscope::bench
