// What this kernel can do, found by loading programs of a few instructions, never by its version. Where privileges are
// missing the best is assumed, so that --dry-run shows what root would get.
#pragma once

#include "contract/host.h"

namespace dscope {

// About 0.2 ms.
MachineFacts read_machine_facts();
// Whether a module is loaded, or built into the running kernel as far as that says of itself.
bool is_module_there(std::string_view name);
// What sysfs says of CPU 0 to count - 1; zeroes for what it does not say.
std::vector<CpuFacts> read_cpus(uint32_t count);
// Whether functions of the kernel can be traced at all, by kprobes or by trampolines, as far as can be known.
// `function_id`: BTF id of any function, to try the latter.
bool offers_function_tracing(uint32_t function_id);

}  // namespace dscope
