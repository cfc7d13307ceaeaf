// ExecNotice: warns that a target has executed another program, in which the probes of its first program do not fire.
// Without this notice, a script or a wrapper that executes the program of interest yields no data and no reason.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compilation.h"
#include "runtime/targets/exec_watch.h"

namespace dscope {

class ExecNotice {
 public:
  // Watches the targets, which wait for the start of tracing, that have probes in the program that they run now.
  // Watches none if execs are followed.
  ExecNotice(const Compilation& compilation, const std::vector<uint32_t>& targets);
  // One line for each target that has executed another program.
  std::vector<std::string> messages() const;

 private:
  struct Watched {
    uint32_t pid;
    std::string program;
    ExecWatch watch;
  };
  std::vector<Watched> watched_;
};

}  // namespace dscope
