// The output stream of a run: standard output or the file of -o.
#pragma once

#include <memory>

#include "driver/command_line/command_line.h"
#include "runtime/format/fd_stream.h"
#include "support/result.h"

namespace dscope {

Result<std::unique_ptr<FdStream>> open_output(const CommandLine& command_line);

// Flushes the output of a run without tracing. Returns the exit status: 0, or 1 if the reader has closed the pipe
// (`dscope -l | head`). Other write errors are errors, because the output is incomplete.
Result<int> finish_output(FdStream& out);

}  // namespace dscope
