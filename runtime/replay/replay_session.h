// run_replay(): a run of native programs over recorded firings, from BEGIN to END. The counterpart of Session,
// without privileges and without a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture_info.h"
#include "contract/program_plan.h"
#include "runtime/format/output_stream.h"
#include "runtime/format/symbolizer.h"
#include "runtime/output/consumer.h"
#include "runtime/replay/firing.h"
#include "runtime/replay/native_machine.h"
#include "runtime/session/session.h"
#include "support/result.h"

namespace dscope {

// The recorded firings, in order of time.
class FiringSource {
 public:
  virtual ~FiringSource() = default;
  // The next firing and its probe, an index that the recording chose. The views are valid until the next call. False
  // at the end. Indices of recordings ascend.
  virtual bool next(Firing& firing, uint32_t& probe) = 0;
};

// A program that runs when a probe of the recording fires.
struct ReplayProgram {
  NativeMachine::Program code = nullptr;
  uint64_t cookie = 0;
};

struct ReplayInput {
  const ProgramPlan& plan;
  NativeMachine& machine;
  std::vector<NativeMachine::Program> programs;               // parallel to ProgramPlan::programs
  std::vector<std::vector<ReplayProgram>> programs_of_probe;  // by the index of the recorded probe
  FiringSource& firings;
  // One after the other, each with clocks of its own: the machine may have started anew in between. At least one. BEGIN
  // fires at the begin of the first one, END at the end of the last one.
  std::vector<CapturedClocks> recordings;
  FiringThread tracer;  // the thread that fires BEGIN, END and ticks
  const SessionOptions& options;
};

// Fires BEGIN, the recorded firings with the ticks that fall between them, and END; prints drops and aggregations.
// Ends early after exit(), SIGINT or SIGTERM, or a write error on `out`.
Result<SessionResult> run_replay(const ReplayInput& input, Symbolizer& symbols, OutputStream& out,
                                 OutputStream& messages);

// The index that `name` of a HookRawTracepoint stands for, in the plans of replays: their probes have no hooks in a
// kernel. nullopt if it is no such name.
std::string replay_hook_name(uint32_t probe);
std::optional<uint32_t> probe_of_replay_hook(const std::string& name);

}  // namespace dscope
