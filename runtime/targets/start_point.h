// The start point of a command: where it waits until tracing is on (option evaltime). It is located by the conventions
// of the dynamic linker and the C library. Used by targets.cpp.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "runtime/targets/stepping.h"

namespace dscope {

// Runs a seized child from its exec stop to the start point that `evaltime` names:
//   exec             the exec stop: only the program and the dynamic linker are mapped
//   preinit          the dynamic linker has mapped and relocated all libraries, no constructor has run
//   postinit, main   the first instruction of main(): the constructors of libraries and program have run
// A program without a dynamic linker, or whose main() cannot be located (a language without libc, a 32-bit program),
// stops at its entry point. If the child executes another program on the way, that program is run to its start point.
// Returns `Ended` if the child has ended, `Aborted` if `keep_waiting` returned false.
StopOutcome run_to_start_point(pid_t pid, std::string_view evaltime, const KeepWaiting& keep_waiting = {});

}  // namespace dscope
