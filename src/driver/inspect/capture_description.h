// --info of a capture or of another tracer's recording: what it holds.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope {

// Reads all events, to count them by probe and by program.
Result<std::string> describe_capture(const std::string& path);

}  // namespace dscope
