// --replay=FILE: D programs over a capture.
#pragma once

#include <memory>

#include "capture/capture_reader.h"
#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "support/result.h"

namespace dscope {

// Runs the programs of the command line over the capture that `reader` reads. Reports what the recording lost, and
// whether the file is damaged, on stderr. Returns the exit status.
Result<int> replay_capture(const CommandLine& command_line, OptionValues& options,
                           std::unique_ptr<CaptureReader> reader);

}  // namespace dscope
