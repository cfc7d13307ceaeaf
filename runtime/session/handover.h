// Handover: on a reload, a new run takes over from the one that it replaces. Programs of both are attached, and each
// event counts in exactly one of them (struct ds_handover).
#pragma once

#include <functional>

#include "runtime/load/bpf_map.h"
#include "runtime/session/state_block.h"

namespace dscope {

// Arms `own`, ends `replaced`, and returns when both are done, after about 0.1 s. `shared`: the map ds_handover of
// both; null if they do not share one. Then events of 20 us count in neither. `consume` is called every few
// milliseconds: records of `own` arrive meanwhile.
void take_over(StateBlock& own, StateBlock& replaced, const BpfMap* shared, const std::function<void()>& consume);

}  // namespace dscope
