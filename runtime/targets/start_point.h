// Where a command waits until tracing is on: the words of option evaltime, found in the start of a program by the rules
// of its dynamic linker and C library. Used by targets.cpp.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "runtime/targets/stepping.h"

namespace dscope {

// From the exec stop of a seized child on:
//   exec      stays there: nothing but the dynamic linker is mapped
//   preinit   the dynamic linker has mapped and relocated all libraries, no constructor has run
//   postinit, main   the first instruction of main(): the constructors of libraries and program have run
// A program without a dynamic linker, or whose main() cannot be found (that of a language without libc, a 32-bit one),
// waits at its entry point; one that executes another program meanwhile is followed there. Never fails: `Ended` if the
// child did, `GivenUp` if patience did.
StopOutcome run_to_start_point(pid_t pid, std::string_view evaltime, const Patience& patience = {});

}  // namespace dscope
