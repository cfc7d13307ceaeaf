// What this kernel can do, found by loading programs of a few instructions, never by its version. Where privileges are
// missing the best is assumed, so that --dry-run shows what root would get.
#pragma once

#include <map>
#include <string>

#include "contract/host.h"

namespace dscope {

// About 0.2 ms.
MachineFacts read_machine_facts();
// Whether a module is loaded, or built into the running kernel as far as that says of itself.
bool is_module_there(std::string_view name);
// What sysfs says of CPU 0 to count - 1; zeroes for what it does not say.
std::vector<CpuFacts> read_cpus(uint32_t count);
// Majors and names of /proc/devices.
std::map<uint32_t, std::string> read_block_drivers();
// `function_id`: BTF id of any function of the kernel proper, to try trampolines; 0: there are none.
FunctionMechanisms read_function_mechanisms(uint32_t function_id);
// Whether a trampoline program can be loaded for that function of the kernel proper.
bool takes_trampoline(uint32_t function_id);
// Whether programs may be hung where the kernel asks security modules; `function_id`: of one of bpf_lsm_*.
bool takes_security_program(uint32_t function_id);

}  // namespace dscope
