// ModuleWatch: tells which modules the kernel has loaded since we last looked, once their functions can be probed.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dscope {

class ModuleWatch {
 public:
  // Listens from now on to what the kernel tells of its devices, of which modules are a kind. Where the kernel has no
  // modules, or does not let us listen, nothing is ever told.
  ModuleWatch();

  // Readable when take() may find something; -1: never.
  int fd() const { return events_.get(); }
  // Those that were loaded since the last call and are done with their initialization: before, the kernel runs no
  // programs at their functions. Cheap if nothing happened.
  std::vector<std::string> take();

 private:
  void hear(std::string_view message);

  Fd events_;
  bool is_due_ = false;         // there may be a module that take() has not told of
  std::set<std::string> told_;  // or were there before
};

// The modules in the text of /proc/modules.
struct ModuleList {
  std::set<std::string> ready;
  bool has_others = false;  // some are being loaded
};
ModuleList read_module_list(std::string_view text);

}  // namespace dscope
