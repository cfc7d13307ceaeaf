// Targets: the processes of -c, -p and --. Commands are started (and stopped) and processes opened before compiling,
// because $target is a constant of the program. The session resumes them after BEGIN and watches them by pidfds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

struct TargetRequest {
  bool is_command = false;         // else a process
  std::string text;                // the argument of -c or -p
  std::vector<std::string> words;  // of a command; empty: `text` is split at white space, as by other DTraces
};

// How commands are started.
struct TargetSettings {
  std::string evaltime = "postinit";                  // start point: value of option evaltime
  std::vector<std::string> set;                       // environment variables NAME=VALUE; the last one of a name counts
  std::vector<std::string> unset;                     // names of environment variables to remove
  bool follows_execs = false, follows_forks = false;  // option follow
};

class Targets {
 public:
  // Starts the commands, which stop at their start point, and opens the pids, in the given order. Errors have the texts
  // of consumer-and-actions.md 2.10.
  static Result<std::unique_ptr<Targets>> create(const std::vector<TargetRequest>& requests,
                                                 const TargetSettings& settings);
  virtual ~Targets() = default;  // kills commands that have not ended; leaves -p processes alone

  virtual bool empty() const = 0;
  virtual int first_pid() const = 0;  // $target; 0 if none
  virtual std::vector<uint32_t> pids() const = 0;
  // True if there are commands (-c), which wait for resume().
  virtual bool has_commands() const = 0;
  // Stop: targets stop when they load a library (see DynamicLinkerProbe), until handle_stops() has handled it.
  enum class AtLoads : uint8_t { RunOn, Stop };
  // True if AtLoads::Stop is harmless: all targets are commands that this process traces.
  virtual bool can_wait_at_loads() const = 0;
  virtual void resume(AtLoads at_loads) = 0;
  // Descriptors that become readable when a target ends; the session polls them.
  virtual std::vector<int> exit_fds() const = 0;
  // Called while a target or one of its followed children is stopped.
  struct Handlers {
    std::function<void(pid_t parent, pid_t child)> on_fork;
    std::function<void(uint32_t pid)> on_exec;  // it has executed another program
    std::function<void()> on_load;              // a DynamicLinkerProbe has stopped it
  };
  // Readable when a target may have stopped; -1: none ever stops.
  virtual int stop_fd() const = 0;
  // Calls the matching handler for each stopped target: after an exec of a command at its start point, of any other
  // process at its first instruction. Aborts the way to the start point once `end_fd` is readable.
  virtual void handle_stops(const Handlers& handlers, int end_fd) = 0;
  // Undoes AtLoads::Stop. The caller must have ended LibraryWatch::stop_at_loads(); not to be called by a handler.
  virtual void stop_waiting_at_loads() = 0;
  // Detaches from the targets, which run on.
  virtual void stop_following() = 0;
  // Reaps children; true if all targets have ended, false if there were none.
  virtual bool all_ended() = 0;
};

}  // namespace dscope
