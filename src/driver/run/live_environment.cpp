#include "driver/run/live_environment.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "support/text/word_list.h"

namespace dscope {

namespace {

// The open descriptor that a variable names; -1: there is none.
int descriptor_in(const char* variable) {
  const char* fd = std::getenv(variable);
  if (fd == nullptr) return -1;
  int number = -1;
  std::from_chars(fd, fd + std::strlen(fd), number);
  return ::fcntl(number, F_GETFD) < 0 ? -1 : number;
}

// The cache finds code by the program before the drill steps. A run from the cache may still hand over to the compiler,
// so it could not hide the pipe from the command of -c.
bool may_use_cache(const CommandLine& command_line) {
  bool starts_command =
      std::ranges::any_of(command_line.targets, [](const TargetRequest& target) { return target.is_command; });
  return command_line.is_served && command_line.drill_steps.empty() && !starts_command;
}

}  // namespace

void apply_live_environment(CommandLine& command_line) {
  command_line.live_fd = descriptor_in(live_fd_variable);
  if (command_line.live_fd < 0) return;
  command_line.control_fd = descriptor_in(live_control_variable);
  command_line.replaced_state_fd = descriptor_in(live_replaced_variable);
  command_line.shared_handover_fd = descriptor_in(live_shared_variable);
  command_line.settings.push_back({.name = "rowstamps", .value = {}, .has_value = false, .flag = "--live"});
  if (const char* targets = std::getenv(live_targets_variable)) {
    command_line.targets.clear();
    command_line.has_command_words = false;
    for (std::string_view pid : parts_of(targets, " "))
      command_line.targets.push_back({.is_command = false, .text = std::string{pid}, .words = {}});
  }
  command_line.forbids_destructive = std::getenv(live_safe_variable) != nullptr;
  command_line.is_served = std::getenv(live_serve_variable) != nullptr;
  // An exporter waits most of the time. A ring that fills up wakes it before. The first setting: others may change it.
  if (command_line.is_served) {
    command_line.settings.insert(command_line.settings.begin(),
                                 {.name = "switchrate", .value = "1s", .has_value = true, .flag = "--serve"});
    command_line.settings.push_back({.name = "served", .value = {}, .has_value = false, .flag = "--serve"});
  }
  if (const char* steps = std::getenv(drill_steps_variable)) command_line.drill_steps = steps;
  if (!may_use_cache(command_line))
    command_line.settings.push_back({.name = "cache", .value = "off", .has_value = true, .flag = "--live"});
}

void forget_live_environment(const CommandLine& command_line) {
  if (command_line.live_fd < 0) return;
  for (int fd :
       {command_line.live_fd, command_line.control_fd, command_line.replaced_state_fd, command_line.shared_handover_fd})
    if (fd >= 0) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::unsetenv(live_fd_variable);
  ::unsetenv(live_control_variable);
  ::unsetenv(live_replaced_variable);
  ::unsetenv(live_shared_variable);
  ::unsetenv(live_targets_variable);
  ::unsetenv(live_safe_variable);
  ::unsetenv(live_serve_variable);
  ::unsetenv(drill_steps_variable);
}

}  // namespace dscope
