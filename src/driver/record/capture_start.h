// From a compiled recording to what its capture file says of the machine and the probes, and where records have the
// values of events.
#pragma once

#include "capture/capture_shape.h"
#include "contract/host.h"
#include "driver/compile/compilation.h"
#include "frontend/record/record_plan.h"
#include "runtime/record/recording_layout.h"

namespace dscope {

struct RecordedProgram {
  CaptureStart start;
  RecordingLayout layout;
};

// `host`: the one that `compilation` was compiled for. Clocks, mounts and targets of the result are empty.
RecordedProgram describe_recording(const Compilation& compilation, const RecordPlan& plan, Host& host);

}  // namespace dscope
