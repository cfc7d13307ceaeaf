// gzip files in memory.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

enum class GzipEffort : uint8_t { Fast, Best };

// Equal inputs give equal bytes: the header has neither a time nor a file name.
std::string gzip(std::string_view bytes, GzipEffort effort);

}  // namespace dscope
