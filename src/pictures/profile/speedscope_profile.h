// A run as a file for speedscope (github.com/jlfwong/speedscope), by its schema file-format-schema.json.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// One sampled profile for each of profiled_aggregations() (flame_tree.h), named as the picture's title. Its samples are
// the elements in the order of their stacks, its weights their numbers: time has no meaning. Elements below 0 are left
// out. Same model, same bytes.
std::string speedscope_profile(const RunModel& model);

}  // namespace dscope
