// Typed arguments of functions of processes: what their debug information says of parameters, and where the calling
// convention of x86-64 puts them.
#pragma once

#include <vector>

#include "contract/host.h"
#include "runtime/dwarf/process_types.h"

namespace dscope {

// args[] at entry. Floating-point numbers are in registers that nobody can read, and are 0. Ends before the first
// parameter whose place is not certain: behind a struct that is passed by value.
std::vector<ProbeArg> entry_arguments(const TypeTable& types, const ProcessTypes::Function& function);
// args[] at return: args[0] the place it returned from, args[1] what it returns, if that is in a register.
std::vector<ProbeArg> return_arguments(const TypeTable& types, const ProcessTypes::Function& function,
                                       const Probe& probe);

}  // namespace dscope
