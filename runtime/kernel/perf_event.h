// Opens perf events. Providers use it to test whether this machine has an event; the attacher opens it on every CPU.
#pragma once

#include "contract/hook.h"
#include "support/fd.h"

struct perf_event_attr;

namespace dscope {

// Opens an event of all processes on one CPU by perf_event_open(2); sets attributes.size. Returns an empty Fd, and sets
// errno, if the kernel refuses.
Fd open_perf_event(perf_event_attr& attributes, int cpu);
// Opens the event of a hook. It is disabled, so that it counts nothing until PERF_EVENT_IOC_ENABLE.
Fd open_perf_event(const HookPerfEvent& hook, int cpu);

}  // namespace dscope
