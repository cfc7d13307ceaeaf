#include "driver/start/viewers.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "driver/compile/library_files.h"
#include "driver/run/live_environment.h"
#include "driver/run/messages.h"

namespace dscope {

namespace {

bool needs_server(const CommandLine& command_line) { return command_line.has_page || command_line.is_service(); }

int execute(const CommandLine& command_line, const std::string& viewer, const char* name, char* const* argv) {
  if (viewer.empty())
    return report(
        command_line.program_name,
        Error::make("this installation has no {}", name).hint("--report=FILE.html writes a page at the end").status(2));
  std::error_code problem;
  std::string self = std::filesystem::read_symlink("/proc/self/exe", problem).string();
  ::setenv(live_program_variable, self.c_str(), 1);
  ::execv(viewer.c_str(), argv);
  return report(command_line.program_name, Error::from_errno(errno, "cannot start the {} `{}`", name, viewer));
}

}  // namespace

std::string find_program(const char* in_build, const char* from_bin) {
  std::string directory = program_directory();
  for (const char* place : {in_build, from_bin})
    if (std::string path = directory + "/" + place; ::access(path.c_str(), X_OK) == 0) return path;
  return {};
}

bool needs_viewer(const CommandLine& command_line) {
  return (command_line.is_live || needs_server(command_line)) && command_line.live_fd < 0;
}

int start_replay(const CommandLine& command_line, char* const* argv) {
  std::string program = find_program(DSCOPE_REPLAY_IN_BUILD, DSCOPE_REPLAY_FROM_BIN);
  ::execv(program.c_str(), argv);
  Error error = Error::from_errno(errno, "cannot start `{}`", program);
  if (program.empty()) error = Error("this installation cannot replay captures: it has no dscope-replay");
  return report(command_line.program_name, std::move(error).status(2));
}

int start_viewer(const CommandLine& command_line, char* const* argv) {
  if (needs_server(command_line))
    return execute(command_line, find_program(DSCOPE_WEB_IN_BUILD, DSCOPE_WEB_FROM_BIN), "web server", argv);
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
    return report(command_line.program_name, Error("--live needs a terminal")
                                                 .hint("--live=http shows the run in a browser, --report=FILE.html "
                                                       "writes a page at the end")
                                                 .status(2));
  return execute(command_line, find_program(DSCOPE_LIVE_IN_BUILD, DSCOPE_LIVE_FROM_BIN), "live view", argv);
}

}  // namespace dscope
