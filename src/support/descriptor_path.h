// Paths through open descriptors, for messages.
#pragma once

#include <string>

namespace dscope {

// The path of the file that is open at N for "/proc/self/fd/N"; any other path unchanged.
std::string resolve_descriptor_path(const std::string& path);

}  // namespace dscope
