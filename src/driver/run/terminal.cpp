#include "driver/run/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace dscope {

namespace {

// Value of an environment variable; empty if it is not set.
std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

Terminal describe_terminal(int fd) {
  Terminal terminal;
  if (isatty(fd) == 0) return terminal;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  terminal.has_colors =
      environment("NO_COLOR").empty() && !environment("TERM").empty() && environment("TERM") != "dumb";
  return terminal;
}

std::unique_ptr<Progress> make_progress(const CommandLine& command_line, const OptionValues& options) {
  const char* kind = std::getenv("TERM");
  bool can_erase = kind != nullptr && std::string_view(kind) != "dumb";
  bool is_shown = isatty(STDERR_FILENO) != 0 && can_erase && !options.is_on(OptionId::Bpflog);
  return std::make_unique<Progress>(is_shown ? STDERR_FILENO : -1, describe_terminal(STDERR_FILENO).width,
                                    command_line.program_name);
}

}  // namespace dscope
