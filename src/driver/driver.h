// The outline of a run: one line per phase, from the command line to the exit status.
#pragma once

#include <span>

namespace dscope {

// Prints all messages and returns the exit status of consumer-and-actions.md 2.8.
int run(std::span<const char* const> arguments);

}  // namespace dscope
