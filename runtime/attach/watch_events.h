// Breakpoints of the processor on memory: the events below probes of provider watch.
#pragma once

#include <vector>

#include "contract/host.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// Disabled events: one for each thread of the process, which the threads it starts inherit, or one for each CPU that
// runs the kernel (only `only_cpu` unless it is -1). Errors say what the processor refuses.
Result<std::vector<Fd>> open_watch_events(const HookWatch& hook, int only_cpu);

}  // namespace dscope
