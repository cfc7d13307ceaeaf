// The cost of the consumer: text of strings and stacks per record, and at the end of a run the snapshot, order and
// names of large aggregations. Measures only dscope, because the peers print different output.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "machine.h"
#include "parts.h"

namespace dscope::bench {

namespace {

// Calls getppid(0), getppid(1) ...: the argument distinguishes the calls.
void make_numbered_calls(int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; i++) syscall(SYS_getppid, i);
}

uint64_t lines_of(const std::string& path) {
  FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return 0;
  uint64_t lines = 0;
  char block[65536];
  while (size_t size = std::fread(block, 1, sizeof(block), file))
    lines += static_cast<uint64_t>(std::count(block, block + size, '\n'));
  std::fclose(file);
  return lines;
}

Command numbered_command(const Options& options, const std::string& clause) {
  return session_command(
      options, {fmt::format("syscall::getppid:entry /pid == {}/ {{ {} }}", getpid(), clause), "", ""}, Peer::Ours);
}

// Lines per second of the tracer's CPU time, while the workload makes calls at full speed.
Result<double> lines_per_cpu_second(const Options& options, const std::string& clause) {
  DS_TRY(Tracer tracer, Tracer::start(numbered_command(options, clause), tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  usleep(20'000);
  const double cpu_before = tracer.cpu_ms(), start = wall_ms();
  while (wall_ms() - start < (options.quick ? 500 : 2000)) make_numbered_calls(0, 1000);
  const Outcome outcome = tracer.stop();
  if (outcome.status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
  return static_cast<double>(lines_of(tracer.output_path())) / (outcome.cpu_ms - cpu_before) * 1e3;
}

struct End {
  double cpu_ms, exit_ms, peak_mib;
};

// The end of a run whose aggregation has `calls` different keys.
Result<End> end_of_run(const Options& options, const std::string& clause, int64_t calls) {
  DS_TRY(Tracer tracer, Tracer::start(numbered_command(options, clause), tracer_cpu()));
  DS_TRY_VOID(tracer.wait_ready());
  usleep(20'000);
  make_numbered_calls(0, calls);
  const double cpu_before = tracer.cpu_ms();
  const Outcome outcome = tracer.stop();
  if (outcome.status != 0) return fail(Error::make("a session failed: {}", tracer.error_text()));
  if (lines_of(tracer.output_path()) < static_cast<uint64_t>(calls))
    return fail(Error::make("{} printed fewer than {} lines", clause, calls));
  return End{outcome.cpu_ms - cpu_before, outcome.exit_ms, outcome.peak_mib};
}

Result<void> measure_rows(const Options& options, Report& report) {
  for (auto [label, clause] : {std::pair{"printf of two strings", "printf(\"%s %s\\n\", execname, probefunc);"},
                               {"stack()", "stack();"},
                               {"ustack()", "ustack();"}}) {
    Figure figure{fmt::format("{}: lines per CPU second", label), "k/s", {}};
    for (int round = 0; round < rounds_of(options, Peer::Ours); round++) {
      DS_TRY(const double lines, lines_per_cpu_second(options, clause));
      figure.of(Peer::Ours).push_back(lines / 1e3);
    }
    report.figures.push_back(figure);
  }
  return {};
}

// Addresses in the kernel's code, and in this process's C library.
std::string kernel_address() { return "(uintptr_t)&`vfs_read + (arg0 - 5000) * 256"; }
std::string user_address() {
  auto base = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "qsort"));
  return fmt::format("{}ULL + arg0 * 16", base);
}

Result<void> measure_ends(const Options& options, Report& report) {
  struct Case {
    const char* label;
    std::string clause;
    int64_t calls;
  };
  const Case cases[] = {
      {"100,000 keys", "@[arg0] = count();", 100'000},
      {"10,000 kernel addresses", fmt::format("@[arg0, sym({})] = count();", kernel_address()), 10'000},
      {"10,000 user addresses", fmt::format("@[arg0, uaddr({})] = count();", user_address()), 10'000},
  };
  for (const Case& one : cases) {
    Figure cpu{fmt::format("end with {}: CPU", one.label), "ms", {}};
    Figure wall{fmt::format("end with {}: wall", one.label), "ms", {}};
    Figure memory{fmt::format("end with {}: peak memory", one.label), "MiB", {}};
    for (int round = 0; round < rounds_of(options, Peer::Ours); round++) {
      DS_TRY(const End end, end_of_run(options, one.clause, one.calls));
      cpu.of(Peer::Ours).push_back(end.cpu_ms);
      wall.of(Peer::Ours).push_back(end.exit_ms);
      memory.of(Peer::Ours).push_back(end.peak_mib);
    }
    report.figures.insert(report.figures.end(), {cpu, wall, memory});
  }
  return {};
}

}  // namespace

Result<void> measure_consumer(const Options& options, Report& report) {
  DS_TRY_VOID(measure_rows(options, report));
  return measure_ends(options, report);
}

}  // namespace dscope::bench
