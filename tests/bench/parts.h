// The parts of the benchmark. Each adds its rows to the report.
#pragma once

#include "workload.h"

namespace dscope::bench {

Result<void> measure_runs(const Options& options, Report& report);       // whole runs: CPU, wall, memory
Result<void> measure_events(const Options& options, Report& report);     // cost of a matching event
Result<void> measure_sessions(const Options& options, Report& report);   // attach to syscall::: and detach
Result<void> measure_output(const Options& options, Report& report);     // printf at full speed
Result<void> measure_consumer(const Options& options, Report& report);   // strings, stacks, large aggregations, names
Result<void> measure_processes(const Options& options, Report& report);  // probes of processes

Result<void> measure_captures(const Options& options, Report& report);  // recordings and replays

// The process whose system calls measure_captures() records. `work`: "calls:NUMBER" or "compile:FOLDER". Writes the
// seconds that the work takes to the file `times`. Returns the exit status.
int run_workload(std::string_view work, const std::string& times);

}  // namespace dscope::bench
