// Stubs: probes of Solaris that never fire.
#pragma once

#include "contract/probe.h"

namespace dscope {

inline void make_stub(Probe& probe, Stub stub) {
  probe.stub = stub;
  probe.derivations.push_back({.clause = "rawtp:::sched_process_exec /0/ {}"});
}

}  // namespace dscope
