// The outline of a run: one line per phase, from the command line to the exit status.
#pragma once

#include <span>

namespace dscope {

// Returns the exit status of consumer-and-actions.md 2.8; all messages have been printed.
int run(std::span<const char* const> arguments);

}  // namespace dscope
