// dscope-replay: runs D programs over a capture. dscope executes it for --replay. It contains LLVM's back end for this
// processor, whose tables would cost every other run time at the start.
#include <signal.h>

#include <cstdlib>

#include "driver/command_line/command_line.h"
#include "driver/import/open_recording.h"
#include "driver/replay/capture_replay.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

Result<int> run(const CommandLine& command_line, OptionValues& options) {
  if (command_line.programs.empty() && command_line.mode != RunMode::List)
    return fail(Error("no probes specified").status(2));
  DS_TRY(OpenedRecording recording, open_recording(command_line.replay_file));
  DS_TRY(int status, replay_capture(command_line, options, std::move(recording.reader)));
  if (!recording.damage.empty())
    print_message("{}: {}: {}\n", command_line.program_name, command_line.replay_file, recording.damage);
  return status;
}

int start(std::span<const char* const> arguments) {
  open_missing_streams();
  for (int ignored : ignored_signals) ::signal(ignored, SIG_IGN);
  auto command_line = parse_command_line(arguments);
  if (!command_line) {
    print_text(command_line.error().text);
    return command_line.error().exit_status;
  }
  apply_live_environment(*command_line);
  forget_live_environment(*command_line);
  if (command_line->replay_file.empty())
    return report("dscope", Error("replays are started by `dscope --replay=FILE`").status(2));
  auto options = make_options(*command_line, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!options) return report(command_line->program_name, options.error());
  Result<int> status = catch_exceptions([&] { return run(*command_line, *options); });
  return status ? *status : report(command_line->program_name, status.error());
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) {
  return dscope::start({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
