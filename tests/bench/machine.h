// The machine of the benchmark: its description, the CPUs to use, and the mounts that bpftrace needs.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope::bench {

// Processor, number of CPUs, kernel, load: the heading of the table.
std::string machine_text();

// Measured loops run on one CPU, tracers on another if there is one. -1 means any CPU.
int loop_cpu();
int tracer_cpu();

Result<void> bind_to_cpu(int cpu);

// Mounts tracefs and debugfs if they are missing, visible to this process and its children only. Raises the priority of
// all of them equally, so that other work on the machine interferes less.
Result<void> prepare_machine();

double wall_ms();

}  // namespace dscope::bench
