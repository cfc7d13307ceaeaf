// A run of a bundle: the program is checked on this machine, and its code comes from the bundle.
#pragma once

#include <span>

namespace dscope {

// dscope-run: `arguments` is argv. Returns the exit status.
int run_bundle(std::span<const char* const> arguments);

}  // namespace dscope
