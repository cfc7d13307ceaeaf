// --serve: a script as a service whose aggregations are metrics. The processes are those of --live=http.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/live/tracer_process.h"
#include "support/result.h"

namespace dscope {

// `request`: the run of the command line. SIGHUP starts it again, which reads the script anew: the run before goes on
// until the new one is attached, or if it fails. Returns the exit status of the run.
Result<int> run_service(const CommandLine& line, TracerRequest request);

}  // namespace dscope
