// The program behind --live: it shows, and starts dscope to trace. dscope executes it, so that runs without a view do
// not load a library for terminals.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <span>

#include "driver/command_line/command_line.h"
#include "driver/live/live_run.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

Result<int> run(std::span<const char* const> arguments, const char* program) {
  auto line = parse_command_line(arguments);
  if (!line) return fail(Error(line.error().text).status(line.error().exit_status));
  return run_live(
      {.arguments = {arguments.begin(), arguments.end()}, .program = program, .is_replay = !line->replay_file.empty()});
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) {
  using namespace dscope;
  open_missing_streams();
  ::signal(SIGPIPE, SIG_IGN);
  const char* program = std::getenv(live_program_variable);
  if (program == nullptr) return report("dscope", Error("the live view is started by `dscope --live`").status(2));
  Result<int> status = catch_exceptions([&] { return run({argv, static_cast<size_t>(argc)}, program); });
  return status ? *status : report("dscope", status.error());
}
