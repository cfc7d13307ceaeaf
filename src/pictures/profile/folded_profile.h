// The stacks of a run in one line each, the input of flame graph tools: "key;outermost frame;...;innermost frame
// value".
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// The aggregations that profiles are made of (flame_tree.h), in the order of their elements.
std::string folded_profile(const RunModel& model);

}  // namespace dscope
