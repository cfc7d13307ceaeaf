// ModuleWatch: reports the modules that the kernel has loaded, once their functions can be probed.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dscope {

class ModuleWatch {
 public:
  // Starts to listen to the kernel's device events (NETLINK_KOBJECT_UEVENT), which include modules. If the kernel has
  // no modules or refuses the socket, the watch never reports any.
  ModuleWatch();

  // Readable when loaded_modules() may return something; -1: it never will.
  int fd() const { return events_.get(); }
  // The modules that were loaded since the last call (or the constructor) and have finished their initialization:
  // before that the kernel runs no programs at their functions. Cheap if there was no event.
  std::vector<std::string> loaded_modules();

 private:
  void handle_event(std::string_view message);

  Fd events_;
  bool has_changed_ = false;        // there may be a module that has not been reported
  std::set<std::string> reported_;  // or present at the start
};

// The modules in the text of /proc/modules.
struct ModuleList {
  std::set<std::string> ready;
  bool has_loading = false;  // some modules are still being initialized
};
ModuleList read_module_list(std::string_view text);

}  // namespace dscope
