// --record: what a run needs to write a capture.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture_writer.h"
#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "driver/record/recorded_program.h"
#include "runtime/format/symbolizer.h"
#include "runtime/output/consumer.h"
#include "runtime/targets/targets.h"

namespace dscope {

class Recording {
 public:
  // The references must outlive this object. `options`: those of the program's plan.
  Recording(const CommandLine& command_line, const OptionValues& options, RecordedProgram program)
      : command_line_(command_line), options_(options), program_(std::move(program)) {}

  const RecordedProgram& program() const { return program_; }
  // Opens the file. `facts_file`: the types of the kernel, as pack_machine() returns them; empty: they are not kept.
  Result<> open(const Targets& targets, std::string facts_file);
  // The consumer that records and hands other records to `printing`. `plan`: the session's.
  std::unique_ptr<Consumer> wrap(const ProgramPlan& plan, std::unique_ptr<Consumer> printing, Symbolizer& symbols);
  // Call after the run: fails if the capture could not be written.
  Result<> finish();

 private:
  const CommandLine& command_line_;
  const OptionValues& options_;
  RecordedProgram program_;
  std::unique_ptr<CaptureWriter> writer_;
};

// Fails if a clause calls snapshot() in a run without --record.
Result<> check_snapshots(const ProgramPlan& plan, const CommandLine& command_line);

}  // namespace dscope
