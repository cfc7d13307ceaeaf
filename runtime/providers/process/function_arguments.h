// Typed arguments of functions of processes: what their debug information says of parameters, and where the calling
// convention of x86-64 puts them.
#pragma once

#include "contract/probe.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/elf/elf_symbols.h"

namespace dscope {

// Fills in probe.args of a function's `entry` or `return`, in the object of that scope, if it is described there: at
// entry as far as it is certain where the parameters are (Rust does not say where it puts objects); at return args[0],
// the place it returned from, and args[1], what it returns.
void load_function_arguments(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                             ProcessTypes& process_types, TypeTable& types);

}  // namespace dscope
