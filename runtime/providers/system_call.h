// What providers of system calls tell about each of their probes.
#pragma once

#include "contract/host.h"

namespace dscope {

inline void mark_system_call(Probe& probe) {
  probe.is_system_call = true;
  // At the entry, the kernel has not read what the arguments point to. A program that was just executed has no pages.
  probe.may_lack_pages = probe.name == "entry" || probe.function.starts_with("exec");
}

}  // namespace dscope
