// A replay: D programs over a recording, as native code in this process. Needs neither privileges nor a kernel.
#pragma once

#include <cstdint>
#include <functional>

#include "catalog/option_values.h"
#include "contract/host.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "runtime/format/symbolizer.h"
#include "runtime/replay/replay_session.h"
#include "support/result.h"

namespace dscope {

// The machine and the program of a replay. The references outlive the replay.
struct ReplaySubject {
  // The recorded machine. The hook of a recorded probe is a HookRawTracepoint with a replay_hook_name().
  Host& host;
  FiringSource& firings;
  Symbolizer& symbols;
  uint32_t probe_count = 0;     // of the recording
  uint64_t begin = 0, end = 0;  // as in ReplayInput, like the next member
  uint64_t boot_to_wall_ns = 0;
  uint32_t target_pid = 0;  // $target; 0: none
  // Reports what the checked program asks for and the recording does not hold, to Compilation::diagnostics; may be
  // null.
  std::function<void(Compilation&)> check = {};
};

// Compiles the programs of the command line and runs them. A mistake in the D program is reported here. Returns the
// exit status.
Result<int> replay(const CommandLine& command_line, OptionValues& options, const ReplaySubject& subject);

}  // namespace dscope
