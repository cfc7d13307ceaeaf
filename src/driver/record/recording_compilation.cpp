#include "driver/record/recording_compilation.h"

#include <algorithm>

#include "driver/record/capture_start.h"
#include "driver/record/recording.h"
#include "support/print_message.h"

namespace dscope {

Result<std::unique_ptr<RecordingCompilation>> RecordingCompilation::prepare(const CommandLine& command_line,
                                                                            OptionValues& options, Host& base) {
  if (command_line.record_file.empty()) return nullptr;
  DS_TRY_VOID(prepare_recording(options));
  DS_TRY(std::vector<CapturePart> parts, recorded_parts(options));
  std::unique_ptr<RecordingCompilation> result{new RecordingCompilation(std::move(parts), base)};
  auto has = [&](CapturePart part) { return std::ranges::count(result->parts_, part) != 0; };
  result->plan_.parts = {.has_args = has(CapturePart::Args),
                         .has_strings = has(CapturePart::Strings),
                         .has_stacks = has(CapturePart::Stacks),
                         .has_threads = has(CapturePart::Threads)};
  return result;
}

Result<> RecordingCompilation::check_probes(const CommandLine& command_line) const {
  if (plan_.groups.empty() && plan_.later_probes.empty())
    return fail(Error("--record has nothing to record: every clause has actions")
                    .hint("name the probes without actions: -n 'syscall:::, io:::'"));
  for (const std::string& description : plan_.later_probes) {
    std::string problem = fmt::format("cannot record probes that appear later: {} matches none yet", description);
    if (plan_.groups.empty())
      return fail(Error(std::move(problem)).hint("start the recording once the library or program is loaded: -p PID"));
    print_message("{}: {}\n", command_line.program_name, problem);
  }
  return {};
}

Result<RecordedProgram> RecordingCompilation::describe(const Compilation& compilation,
                                                       const CommandLine& command_line) {
  DS_TRY_VOID(check_probes(command_line));
  RecordedProgram program = describe_recording(compilation, plan_, host_);
  program.start.info.parts = parts_;
  return program;
}

}  // namespace dscope
