// ModuleTypes: descriptors of the kernel's BTF of its modules, needed to load programs for functions of modules.
#pragma once

#include <map>
#include <string>

#include "support/fd.h"

namespace dscope {

class ModuleTypes {
 public:
  // A descriptor that stays open as long as this object lives; -1 if the module has no BTF.
  int find(const std::string& module);

 private:
  std::map<std::string, Fd> known_;
};

}  // namespace dscope
