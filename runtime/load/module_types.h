// ModuleTypes: descriptors of the BTF that the kernel keeps for its modules, which programs for functions of modules
// are loaded with.
#pragma once

#include <map>
#include <string>

#include "support/fd.h"

namespace dscope {

class ModuleTypes {
 public:
  // Stays open as long as this object lives. -1 if the module has no types.
  int find(const std::string& module);

 private:
  std::map<std::string, Fd> known_;
};

}  // namespace dscope
