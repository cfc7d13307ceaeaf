// Targets: the processes of -c and -p. Created (stopped) or found before compiling, because $target is a constant of
// the program; resumed by the session after BEGIN; watched by pidfds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

struct TargetRequest {
  bool is_command = false;  // -c: text is a command line, split at white space; -p: text is a pid
  std::string text;
};

// How commands are started.
struct TargetSettings {
  std::string evaltime = "postinit";  // where they wait: a word of option evaltime
  std::vector<std::string> set;       // environment variables, NAME=VALUE; of the same name the last one counts
  std::vector<std::string> unset;     // names
  bool follows_execs = false, follows_forks = false;  // option follow
};

class Targets {
 public:
  // Starts the commands (stopped before their first instruction of main) and opens the pids, in the given order.
  // Errors: texts of consumer-and-actions.md 2.10.
  static Result<std::unique_ptr<Targets>> create(const std::vector<TargetRequest>& requests,
                                                 const TargetSettings& settings);
  virtual ~Targets() = default;  // kills commands that still run (also stopped ones), leaves -p processes alone

  virtual bool empty() const = 0;
  virtual int first_pid() const = 0;  // $target; 0 if none
  virtual std::vector<uint32_t> pids() const = 0;
  // Whether commands among them wait to be resumed.
  virtual bool has_commands() const = 0;
  virtual void resume() = 0;
  // Descriptors that become readable when a target ends; the session polls them.
  virtual std::vector<int> exit_fds() const = 0;
  // Readable when a target may have executed another program; -1: they are not followed.
  virtual int exec_fd() const = 0;
  // Calls `on_exec` for each target, or child of one, that has: it waits, a command where evaltime says, any other
  // process at its first instruction, until that returns. Gives up waiting for a command once `stop_fd` is readable.
  virtual void handle_execs(const std::function<void(uint32_t pid)>& on_exec, int stop_fd) = 0;
  // The targets run on without us.
  virtual void stop_following() = 0;
  // True when all targets are gone (reaps children). False if there were none.
  virtual bool all_gone() = 0;
};

}  // namespace dscope
