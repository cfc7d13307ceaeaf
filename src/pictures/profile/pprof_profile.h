// A run as a profile for pprof: the gzip-compressed protobuf of github.com/google/pprof, proto/profile.proto.
#pragma once

#include <string>

#include "pictures/run_model.h"

namespace dscope {

// One sample type for each of profiled_aggregations() (flame_tree.h), named after it. Frames become functions, the
// objects that contain them mappings, and keys besides the stack labels. Negative numbers stay negative. The profile of
// a run without such aggregations is valid and has no samples. Same model, same bytes.
std::string pprof_profile(const RunModel& model);

}  // namespace dscope
