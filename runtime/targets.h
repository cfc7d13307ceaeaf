// Targets: the processes of -c and -p. Created (stopped) or found before compiling, because $target is a constant of
// the program; resumed by the session after BEGIN; watched by pidfds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

struct TargetRequest {
  bool is_command = false;  // -c: text is a command line, split at white space; -p: text is a pid
  std::string text;
};

class Targets {
 public:
  // Starts the commands (stopped before their first instruction of main; `evaltime` as in option evaltime) and opens
  // the pids, in the given order. Errors: texts of consumer-and-actions.md 2.10.
  static Result<std::unique_ptr<Targets>> create(const std::vector<TargetRequest>& requests, std::string_view evaltime);
  virtual ~Targets() = default;  // kills commands that still run (also stopped ones), leaves -p processes alone

  virtual bool empty() const = 0;
  virtual int first_pid() const = 0;  // $target; 0 if none
  virtual void resume() = 0;
  // Descriptors that become readable when a target ends; the session polls them.
  virtual std::vector<int> exit_fds() const = 0;
  // True when all targets are gone (reaps children). False if there were none.
  virtual bool all_gone() = 0;
};

}  // namespace dscope
