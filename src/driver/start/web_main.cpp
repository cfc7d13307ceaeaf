// The program behind --live=http: it starts dscope to trace, and serves the page. dscope executes it, so that other
// runs do not load a library for HTTP.
#include <signal.h>

#include <cstdlib>

#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "driver/web/supervisor.h"
#include "support/catch_exceptions.h"

int main(int argc, char** argv) {
  using namespace dscope;
  open_missing_streams();
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> arguments(argv, argv + argc);
  const char* program = std::getenv(live_program_variable);
  if (program == nullptr) return report("dscope", Error("the page is served by `dscope --live=http`").status(2));
  Result<int> status = catch_exceptions([&] { return run_web(arguments, program); });
  return status ? *status : report("dscope", status.error());
}
