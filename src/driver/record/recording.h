// --record: what a run needs to write a capture.
#pragma once

#include <memory>
#include <optional>

#include "capture/capture_writer.h"
#include "driver/command_line/command_line.h"
#include "driver/compile/compilation.h"
#include "driver/record/recording_host.h"
#include "frontend/record/record_plan.h"
#include "runtime/output/consumer.h"
#include "runtime/record/recording_layout.h"
#include "runtime/targets/targets.h"

namespace dscope {

class Recording {
 public:
  // Null if the command line has no --record. Fails if its options contradict each other; changes options that a
  // recording cannot obey. `base` must outlive the result.
  static Result<std::unique_ptr<Recording>> prepare(const CommandLine& command_line, OptionValues& options, Host& base);

  // For the compilation: what it records, and the host for which it compiles.
  RecordPlan& plan() { return plan_; }
  Host& host() { return host_; }

  // Opens the file. `compilation` has compiled the plan, which must record at least one probe.
  Result<> open(const Compilation& compilation, const Targets& targets);
  // The consumer that records and hands other records to `printing`. `plan`: the session's.
  std::unique_ptr<Consumer> wrap(const ProgramPlan& plan, std::unique_ptr<Consumer> printing, Symbolizer& symbols);
  // Call after the run: fails if the capture could not be written.
  Result<> finish();

 private:
  Recording(const CommandLine& command_line, const OptionValues& options, Host& base)
      : command_line_(command_line), options_(options), host_(base, plan_) {}

  Result<> check_probes() const;

  const CommandLine& command_line_;
  const OptionValues& options_;
  RecordPlan plan_;
  RecordingHost host_;
  RecordingLayout layout_;
  bool keeps_types_ = false;
  std::unique_ptr<CaptureWriter> writer_;
};

// Fails if a clause calls snapshot() in a run without --record.
Result<> check_snapshots(const ProgramPlan& plan, const CommandLine& command_line);

}  // namespace dscope
