// RecordedProgram: a compiled recording without its code. It describes the machine and the probes for the capture, and
// the places of the values in records. The code cache keeps it with the code.
#pragma once

#include <string>
#include <string_view>

#include "capture/capture_shape.h"
#include "contract/program_plan.h"
#include "runtime/record/recording_layout.h"
#include "support/result.h"

namespace dscope {

struct RecordedProgram {
  CaptureStart start;  // without clocks, mounts and targets
  RecordingLayout layout;
};

std::string pack_recorded_program(const RecordedProgram& program);
// Fails with one sentence if the bytes are damaged or do not belong to `plan`: every clause, row and field in the
// result exists in the plan.
Result<RecordedProgram> unpack_recorded_program(std::string_view bytes, const ProgramPlan& plan);

}  // namespace dscope
