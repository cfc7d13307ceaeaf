// system(): runs a shell command when the record arrives (consumer-and-actions.md 3.15).
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "runtime/actions/actions.h"
#include "support/spawn_signals.h"

namespace dscope {

namespace {

void run_shell(const std::string& command) {
  posix_spawnattr_t attributes;
  if (::posix_spawnattr_init(&attributes) != 0) return;
  set_default_signals(attributes);
  std::string shell = "sh", option = "-c", text = command;
  char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  int failure = ::posix_spawn(&child, "/bin/sh", nullptr, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  if (failure != 0) return;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

void run_System(const RecordedAction& call, const ActionServices& services, std::string& out) {
  if (!call.format) return;
  services.flush_row(out);
  services.out.flush();
  services.messages.flush();
  std::string command;
  call.format->append(command, call.record, services.values.exact());
  // DTrace formats the command into a buffer of strsize bytes.
  auto room = static_cast<size_t>(std::max<int64_t>(services.options.number(OptionId::Strsize), 1));
  command.resize(std::min(std::strlen(command.c_str()), room - 1));
  run_shell(command);
}

}  // namespace dscope
