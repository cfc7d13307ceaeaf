// The program behind --live=http and --serve: it starts dscope to trace, and serves. dscope executes it, so that other
// runs do not load a library for HTTP.
#include <signal.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "driver/run/live_environment.h"
#include "driver/run/messages.h"
#include "driver/run/standard_streams.h"
#include "driver/web/page_supervisor.h"
#include "driver/web/serve_supervisor.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

Result<int> run(const std::vector<std::string>& arguments, const std::string& program) {
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  auto line = parse_command_line(words);
  if (!line) return fail(Error(line.error().text).status(line.error().exit_status));
  TracerRequest request{.program = program, .arguments = arguments, .drill_steps = {}, .targets = {}};
  request.forbids_destructive = true;
  request.keeps_streams = true;
  if (line->has_page) return run_page(*line, std::move(request));
  request.is_served = true;
  return run_service(*line, std::move(request));
}

}  // namespace

}  // namespace dscope

int main(int argc, char** argv) {
  using namespace dscope;
  open_missing_streams();
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> arguments(argv, argv + argc);
  const char* program = std::getenv(live_program_variable);
  if (program == nullptr)
    return report("dscope", Error("the web server is started by --live=http and --serve").status(2));
  Result<int> status = catch_exceptions([&] { return run(arguments, program); });
  return status ? *status : report("dscope", status.error());
}
