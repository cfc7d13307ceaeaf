// The program behind --live: it shows, and starts dscope to trace. dscope executes it, so that runs without a view do
// not load a library for terminals.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "driver/live/live_run.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "support/catch_exceptions.h"

int main(int argc, char** argv) {
  using namespace dscope;
  open_missing_streams();
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> arguments(argv, argv + argc);
  const char* program = std::getenv(live_program_variable);
  if (program == nullptr) return report("dscope", Error("the live view is started by `dscope --live`").status(2));
  Result<int> status = catch_exceptions([&] { return run_live(arguments, program); });
  return status ? *status : report("dscope", status.error());
}
