// What providers of system calls tell about each of their probes.
#pragma once

#include "contract/host.h"

namespace dscope {

inline void mark_system_call(Probe& probe) {
  probe.is_system_call = true;
  probe.fires_on_exec = probe.function.starts_with("exec");
}

}  // namespace dscope
