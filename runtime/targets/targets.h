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
  // What they do where a LinkerBell stops them.
  enum class AtLoads : uint8_t { RunOn, WaitForUs };
  // Whether AtLoads::WaitForUs bothers nobody: all of them are commands that we hold.
  virtual bool can_wait_at_loads() const = 0;
  virtual void resume(AtLoads at_loads) = 0;
  // Descriptors that become readable when a target ends; the session polls them.
  virtual std::vector<int> exit_fds() const = 0;
  // What to do while one of them waits.
  struct Handlers {
    std::function<void(pid_t parent, pid_t child)> on_fork;  // a target, or child of one, which is followed, has forked
    std::function<void(uint32_t pid)> on_exec;               // a target, or child of one, has executed another program
    std::function<void()> on_load;                           // a target has been stopped by a LinkerBell
  };
  // Readable when a target may wait for us; -1: none ever does.
  virtual int stop_fd() const = 0;
  // Calls what is meant for each target that waits: after an exec a command where evaltime says, any other process at
  // its first instruction. Gives up waiting for a command to get there once `end_fd` is readable.
  virtual void handle_stops(const Handlers& handlers, int end_fd) = 0;
  // Not within handle_stops(): they wait at loads no longer. No LinkerBell may stop them any more.
  virtual void run_through_loads() = 0;
  // The targets run on without us.
  virtual void stop_following() = 0;
  // True when all targets are gone (reaps children). False if there were none.
  virtual bool all_gone() = 0;
};

}  // namespace dscope
