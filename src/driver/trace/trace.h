// The part of a run that touches the kernel: loads and attaches the program, consumes its records until it ends.
#pragma once

#include "driver/command_line/command_line.h"
#include "driver/compile/code_source.h"
#include "driver/record/recording.h"
#include "driver/trace/awaited_probes.h"
#include "driver/trace/code_keeping.h"
#include "runtime/format/fd_stream.h"
#include "runtime/providers/live_host.h"
#include "runtime/session/module_watch.h"
#include "runtime/targets/targets.h"

namespace dscope {

// Results of the earlier phases, owned by the caller.
struct TraceInput {
  const CommandLine& command_line;
  const Compilation& compilation;
  GeneratedCode& code;     // replaced if the verifier rejects it
  CodeSource& source;      // of the code
  AwaitedProbes& awaited;  // loses the descriptions that match while tracing
  LiveHost& host;
  Targets& targets;
  ModuleWatch* modules;  // null: kernel modules that are loaded later have no probes for the program
  Progress& progress;
  const KeptCode* kept;  // stores the code that the kernel accepts; may be null
  Recording* recording;  // writes a capture; null: nothing is recorded
};

// Traces until the program exits, its targets end or a signal arrives. Needs privileges. Returns the exit status.
Result<int> trace(const TraceInput& input, FdStream& out);

}  // namespace dscope
