// The part of a run that touches the kernel, for code that is already compiled: the options of the session from the
// command line, and the session from its start to its last message.
#pragma once

#include <optional>

#include "driver/command_line/command_line.h"
#include "driver/run/pictures.h"
#include "runtime/format/fd_stream.h"
#include "runtime/session/session.h"
#include "runtime/targets/targets.h"
#include "support/progress.h"

namespace dscope {

// Fails if the kernel is too old to be traced. Succeeds if privileges are missing, too.
Result<> check_kernel();
// Fails if this process lacks the privileges to trace.
Result<> check_privileges();

// The options of a session without callbacks. The result refers to `progress` and `pictures`.
SessionOptions session_options(const CommandLine& command_line, const ProgramPlan& plan, const Targets& targets,
                               Progress& progress, RunPictures& pictures);

// Traces until the program exits, its targets end or a signal arrives, then writes the pictures. `plan`: the session's.
Result<SessionResult> run_session(Session& session, const CommandLine& command_line, const ProgramPlan& plan,
                                  Targets& targets, Progress& progress, RunPictures& pictures, FdStream& out);

}  // namespace dscope
