// Hardware breakpoints on memory: the perf events of probes of provider watch.
#pragma once

#include <vector>

#include "contract/hook.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// Opens disabled perf events: one for each thread of the process, inherited by threads that these create, or for kernel
// memory one per CPU (only `only_cpu` unless that is -1). The hint of an Error explains what the processor refuses.
Result<std::vector<Fd>> open_watch_events(const HookWatch& hook, int only_cpu);

}  // namespace dscope
