// Reads bundle files.
#pragma once

#include "archive/portable_bundle.h"

namespace dscope {

// Only a regular file or a pipe of at most max_portable_bundle_bytes. The error names the file.
Result<PortableBundle> open_bundle(const std::string& path);
// The text of --info for the file.
Result<std::string> describe_bundle_file(const std::string& path);

}  // namespace dscope
