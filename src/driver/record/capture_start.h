// From a compiled recording to what its capture file says of the machine and the probes, and where records have the
// values of events.
#pragma once

#include "contract/host.h"
#include "driver/compile/compilation.h"
#include "driver/record/recorded_program.h"
#include "frontend/record/record_plan.h"

namespace dscope {

// `host`: the one that `compilation` was compiled for. The result names no parts.
RecordedProgram describe_recording(const Compilation& compilation, const RecordPlan& plan, Host& host);

}  // namespace dscope
