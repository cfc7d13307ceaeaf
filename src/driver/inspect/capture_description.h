// --info of a capture: what it holds.
#pragma once

#include <string>

#include "support/result.h"

namespace dscope {

// Whether the file begins as a capture of any version.
bool is_capture_file(const std::string& path);

// Reads all events, to count them by probe and by program.
Result<std::string> describe_capture(const std::string& path);

}  // namespace dscope
