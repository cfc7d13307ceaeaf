// Properties that the providers of system calls share.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/host.h"

namespace dscope {

// The numbers of calls that some kernels lack. Calling them with invalid arguments does nothing.
std::vector<uint32_t> conditional_system_calls();

inline void mark_system_call(Probe& probe) {
  probe.is_system_call = true;
  // At the entry, the kernel has not read the memory that the arguments point to. Right after exec, no page of
  // the program is in memory.
  probe.may_lack_pages = probe.name == "entry" || probe.function.starts_with("exec");
}

}  // namespace dscope
