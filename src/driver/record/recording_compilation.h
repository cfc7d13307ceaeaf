// --record: the compilation of a recording, from the clauses without actions to what the capture says of them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "capture/capture_info.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "driver/record/recorded_program.h"
#include "driver/record/recording_host.h"
#include "frontend/record/record_plan.h"

namespace dscope {

class RecordingCompilation {
 public:
  // Null if the command line has no --record. Fails if its options contradict each other; changes options that a
  // recording cannot obey. `base` must outlive the result.
  static Result<std::unique_ptr<RecordingCompilation>> prepare(const CommandLine& command_line, OptionValues& options,
                                                               Host& base);

  // For the compilation: what it records, and the host for which it compiles.
  RecordPlan& plan() { return plan_; }
  Host& host() { return host_; }

  // `compilation` has compiled the plan. Fails if no probe is recorded. Prints which ones are not because they appear
  // later.
  Result<RecordedProgram> describe(const Compilation& compilation, const CommandLine& command_line);

 private:
  RecordingCompilation(std::vector<CapturePart> parts, Host& base) : parts_(std::move(parts)), host_(base, plan_) {}
  Result<> check_probes(const CommandLine& command_line) const;

  std::vector<CapturePart> parts_;
  RecordPlan plan_;
  RecordingHost host_;
};

}  // namespace dscope
