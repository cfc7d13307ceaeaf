// The environment in which a live view starts the processes that trace for it.
#pragma once

#include "driver/command_line/command_line.h"

namespace dscope {

inline constexpr const char* live_fd_variable = "DSCOPE_LIVE_FD";         // decimal; receives the run (run_stream.h)
inline constexpr const char* drill_steps_variable = "DSCOPE_LIVE_STEPS";  // see compile/drill_steps.h

inline constexpr const char* live_targets_variable = "DSCOPE_LIVE_TARGETS";    // pids: "12 34"; instead of -c and -p
inline constexpr const char* live_safe_variable = "DSCOPE_LIVE_SAFE";          // set: destructive actions are refused
inline constexpr const char* live_serve_variable = "DSCOPE_LIVE_SERVE";        // set: the run is for --serve
inline constexpr const char* live_control_variable = "DSCOPE_LIVE_CONTROL";    // decimal; CommandLine::control_fd
inline constexpr const char* live_replaced_variable = "DSCOPE_LIVE_REPLACED";  // CommandLine::replaced_state_fd
inline constexpr const char* live_shared_variable = "DSCOPE_LIVE_SHARED";      // CommandLine::shared_handover_fd
inline constexpr const char* live_program_variable = "DSCOPE_LIVE_PROGRAM";    // for the view: the path of dscope

// Applies these variables, if they are set.
void apply_live_environment(CommandLine& command_line);
// Hides them and the descriptor from the commands of the run. Call when no other program of dscope follows.
void forget_live_environment(const CommandLine& command_line);

}  // namespace dscope
