// A replay: D programs over a recording, as native code in this process. Needs neither privileges nor a kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "capture/capture_info.h"
#include "catalog/option_values.h"
#include "contract/host.h"
#include "contract/tracer_identity.h"
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
  // By index of the recorded probe: the probe whose programs run, of the same name. Indices ascend.
  std::vector<uint32_t> probes;
  std::vector<CapturedClocks> recordings;     // as in ReplayInput
  uint32_t target_pid = 0;                    // $target; 0: none
  std::optional<TracerIdentity> tracer = {};  // that recorded; nullopt: unknown, and this process stands for it
  // D libraries that replace built-in ones of the same names.
  std::vector<LibraryFile> libraries = {};
  KeySources key_sources = {};  // what the recording holds for drilling down
  // Reports what the checked program asks for and the recording does not hold, to Compilation::diagnostics; may be
  // null.
  std::function<void(Compilation&)> check = {};
  // Explains a mistake in the program that the limits of the recording may have caused; may be null.
  std::function<void(Compilation&)> explain = {};
};

// Compiles the programs of the command line and runs them. A mistake in the D program is reported here. Returns the
// exit status.
Result<int> replay(const CommandLine& command_line, OptionValues& options, const ReplaySubject& subject);

}  // namespace dscope
