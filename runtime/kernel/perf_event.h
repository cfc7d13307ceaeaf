// Events that the kernel or the processor counts. Providers ask whether there is such an event here, the attacher opens
// it on every CPU.
#pragma once

#include "contract/host.h"
#include "support/fd.h"

struct perf_event_attr;

namespace dscope {

// perf_event_open(2) of all processes on one CPU. No descriptor: errno tells why.
Fd open_perf_event(perf_event_attr& attributes, int cpu);
// Disabled: nothing is counted yet.
Fd open_perf_event(const HookPerfEvent& hook, int cpu);

}  // namespace dscope
