// The capabilities of this kernel, found by loading programs of a few instructions rather than by its version, and
// facts about the machine. Without privileges all capabilities are assumed, so that --dry-run shows what root would
// get.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contract/machine.h"

namespace dscope {

// Takes about 0.2 ms.
MachineFacts read_machine_facts();
// The modules that have a directory in sysfs: all that are loaded, and a part of those that are built in.
std::vector<std::string> modules_in_sysfs();
// Whether the kernel has the system call. Calls it with invalid arguments, so the call must be harmless with them.
bool has_system_call(uint32_t number);
// Whether a module is loaded, or known to be built into the running kernel.
bool is_module_present(std::string_view name);
// Package, frequency and NUMA node of the CPUs 0 to count - 1, from sysfs; 0 where sysfs has no value.
std::vector<CpuFacts> read_cpus(uint32_t count);
// The names of block device drivers by major number, from /proc/devices.
std::map<uint32_t, std::string> read_block_drivers();
// The mechanisms to trace kernel functions. `function_id`: BTF id of any function of the kernel itself, to test
// trampolines with; 0 if there is no BTF.
FunctionMechanisms read_function_mechanisms(uint32_t function_id);
// Whether the kernel loads a trampoline (fentry) program for the function of the kernel itself with that BTF id.
bool supports_trampoline(uint32_t function_id);
// Whether the kernel has every facility that dscope requires. The newest one, uprobe programs that may sleep, came with
// Linux 6.0. True without privileges, which are necessary to find out.
bool is_supported_kernel();
// Whether the kernel loads BPF LSM programs. `function_id`: BTF id of one of the functions bpf_lsm_*.
bool takes_security_program(uint32_t function_id);

}  // namespace dscope
