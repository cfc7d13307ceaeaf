// Checks that a D program asks a capture only for what it holds.
#pragma once

#include "capture/capture_info.h"
#include "driver/compile/compilation.h"

namespace dscope {

// Reports the first expression that the capture cannot answer to `compilation.diagnostics`, with a hint that names the
// option of --record that would have kept it, if there is one.
void check_recorded_uses(Compilation& compilation, const CaptureInfo& info, const OptionValues& options);

}  // namespace dscope
