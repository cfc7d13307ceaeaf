// --live=http: the report of a run in the browser. This process starts everything and has the privileges: the tracers,
// and the server, which speaks HTTP without any. It reads nothing from the network.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/live/tracer_process.h"
#include "support/result.h"

namespace dscope {

// `request`: the run of the command line. Returns the exit status.
Result<int> run_page(const CommandLine& line, TracerRequest request);

}  // namespace dscope
