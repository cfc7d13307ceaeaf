// The programs beside dscope: those that show a run, which start dscope again to trace for them, and the one that runs
// programs over a capture.
#pragma once

#include <string>

#include "driver/command_line/command_line.h"

namespace dscope {

// The path of a program: `in_build` below the directory of this program in a build tree, `from_bin` in an installation.
// Empty if there is neither.
std::string find_program(const char* in_build, const char* from_bin);

// A viewer is wanted, and this process does not trace for one.
bool needs_viewer(const CommandLine& command_line);

// Replaces this process by the program that replays captures. Returns an exit status if that fails, after a message.
int start_replay(const CommandLine& command_line, char* const* argv);

// Replaces this process by the live view or the web server. Returns an exit status if that fails, after a message.
int start_viewer(const CommandLine& command_line, char* const* argv);

}  // namespace dscope
