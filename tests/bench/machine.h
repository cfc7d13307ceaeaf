// The machine the benchmark runs on: its description, which CPUs to use, and the file systems bpftrace wants mounted.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope::bench {

// Processor, number of CPUs, kernel, load: the heading of the table.
std::string machine_text();

// Measured loops run on one CPU, tracers on another one, if there is another one; -1 means anywhere.
int loop_cpu();
int tracer_cpu();

Result<void> bind_to_cpu(int cpu);

// Mounts tracefs and debugfs where they are missing, seen by this process and its children only; raises the priority
// of all of them alike so that other work on the machine disturbs less.
Result<void> prepare_machine();

double wall_ms();

}  // namespace dscope::bench
