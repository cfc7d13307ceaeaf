#include "runtime/kernel/perf_event.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dscope {

Fd open_perf_event(perf_event_attr& attributes, int cpu) {
  attributes.size = sizeof attributes;
  return Fd{static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
}

Fd open_perf_event(const HookPerfEvent& hook, int cpu) {
  perf_event_attr attributes{};
  attributes.type = hook.type;
  attributes.config = hook.config;
  attributes.sample_period = hook.period;
  attributes.exclude_user = hook.in_user ? 0 : 1;
  attributes.exclude_kernel = hook.in_kernel ? 0 : 1;
  attributes.disabled = 1;
  return open_perf_event(attributes, cpu);
}

}  // namespace dscope
