#include "runtime/attach/watch_events.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

perf_event_attr attributes_of(const HookWatch& hook) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = hook.accesses;
  attributes.bp_addr = hook.address;
  attributes.bp_len = hook.length;
  attributes.sample_period = 1;
  attributes.disabled = 1;
  bool is_of_process = hook.pid != 0;
  attributes.inherit = is_of_process;
  attributes.inherit_thread = is_of_process;
  return attributes;
}

Fd open_event(perf_event_attr& attributes, pid_t thread, int cpu) {
  auto open = [&] {
    return Fd{static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
  };
  Fd event = open();
  if (event || errno != EINVAL || attributes.inherit_thread == 0) return event;
  attributes.inherit_thread = 0;  // Linux 5.13
  return open();
}

// Hypervisors may accept hardware breakpoints and never report one (PVM). Such a probe would wait for ever.
bool do_breakpoints_fire() {
  static volatile long watched = 0;
  HookWatch hook{
      .address = reinterpret_cast<uint64_t>(&watched), .length = sizeof watched, .accesses = HW_BREAKPOINT_W};
  perf_event_attr attributes = attributes_of(hook);
  attributes.disabled = 0;
  attributes.exclude_kernel = 1;
  Fd event = open_event(attributes, 0, -1);
  if (!event) return true;  // the error of the caller's own event says more
  watched = 1;
  uint64_t count = 0;
  return ::read(event.get(), &count, sizeof count) != sizeof count || count != 0;
}

Error refusal(const HookWatch& hook, int error_number) {
  Error error = Error::from_errno(error_number, "cannot watch {} bytes at 0x{:x}", hook.length, hook.address);
  switch (error_number) {
    case ENOSPC: return std::move(error).hint("a processor watches only a few addresses at a time, on x86 four");
    case EINVAL:
      return std::move(error).hint(hook.pid == 0
                                       ? "this kernel does not allow watching its own memory there"
                                       : "the processor watches 1, 2, 4 or 8 bytes at a multiple of their number");
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP: return std::move(error).hint("this machine has no hardware breakpoints");
    case EPERM:
    case EACCES:
      return std::move(error).hint("this needs root or CAP_PERFMON, unless kernel.perf_event_paranoid allows it");
    default: return error;
  }
}

std::set<pid_t> threads_of(uint32_t pid) {
  std::set<pid_t> threads;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator{fmt::format("/proc/{}/task", pid), ignored}) {
    if (auto thread = parse_integer<pid_t>(entry.path().filename().native())) threads.insert(*thread);
  }
  return threads;
}

// Threads that start later inherit the events. A thread that starts between the two steps here may be missed; reading
// the list again would watch twice in threads that have inherited the events.
Result<std::vector<Fd>> open_for_process(const HookWatch& hook) {
  perf_event_attr attributes = attributes_of(hook);
  std::vector<Fd> events;
  for (pid_t thread : threads_of(hook.pid)) {
    Fd event = open_event(attributes, thread, -1);
    if (!event && errno == ESRCH) continue;  // it has ended
    if (!event) return fail(refusal(hook, errno));
    events.push_back(std::move(event));
  }
  if (events.empty()) return fail(refusal(hook, ESRCH));
  return events;
}

Result<std::vector<Fd>> open_for_kernel(const HookWatch& hook, int only_cpu) {
  perf_event_attr attributes = attributes_of(hook);
  std::vector<Fd> events;
  int cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < cpus; ++cpu) {
    if (only_cpu >= 0 && cpu != only_cpu) continue;
    Fd event = open_event(attributes, -1, cpu);
    if (!event && errno == ENODEV) continue;  // the CPU is offline
    if (!event) return fail(refusal(hook, errno));
    events.push_back(std::move(event));
  }
  if (events.empty()) return fail(refusal(hook, ENODEV));
  return events;
}

}  // namespace

Result<std::vector<Fd>> open_watch_events(const HookWatch& hook, int only_cpu) {
  DS_TRY(std::vector<Fd> events, hook.pid != 0 ? open_for_process(hook) : open_for_kernel(hook, only_cpu));
  if (do_breakpoints_fire()) return events;
  return fail(Error("cannot watch memory: the hardware breakpoints of this machine do not fire")
                  .hint("its hypervisor does not report them"));
}

}  // namespace dscope
