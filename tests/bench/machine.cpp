#include "machine.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

namespace dscope::bench {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

// The mount point of debugfs or tracefs exists, and is empty, even if it is not mounted.
void mount_if_absent(const char* type, const char* where, long magic) {
  struct statfs found{};
  if (statfs(where, &found) == 0 && found.f_type == magic) return;
  // A failed mount shows later, when bpftrace finds no tracepoints. The other tracers do not need it.
  if (mount("none", where, type, 0, nullptr) != 0) fmt::print(stderr, "bench: cannot mount {}\n", where);
}

}  // namespace

std::string machine_text() {
  utsname kernel{};
  uname(&kernel);
  double load = 0;
  getloadavg(&load, 1);
  return fmt::format("{}, {} CPUs, Linux {} ({}), load {:.1f}", processor_name(), sysconf(_SC_NPROCESSORS_ONLN),
                     kernel.release, kernel.machine, load);
}

int loop_cpu() { return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 1 : 0; }

int tracer_cpu() { return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 0 : -1; }

Result<void> bind_to_cpu(int cpu) {
  if (cpu < 0) return {};
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0) return fail(Error::from_errno(errno, "cannot bind to CPU {}", cpu));
  return {};
}

Result<void> prepare_machine() {
  constexpr long debugfs_magic = 0x64626720, tracefs_magic = 0x74726163;
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return fail(Error::from_errno(errno, "cannot make a private mount namespace"));
  }
  mount_if_absent("debugfs", "/sys/kernel/debug", debugfs_magic);
  mount_if_absent("tracefs", "/sys/kernel/tracing", tracefs_magic);
  setpriority(PRIO_PROCESS, 0, -10);
  return {};
}

double wall_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace dscope::bench
