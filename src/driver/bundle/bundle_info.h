// --info=FILE: describes a portable bundle.
#pragma once

#include <string>

#include "archive/portable_bundle.h"

namespace dscope {

// The text for people: who built it, programs, probes, arguments, options, machines, kernel members that it needs.
std::string bundle_info(const PortableBundle& bundle, const std::string& path, size_t bytes);

}  // namespace dscope
