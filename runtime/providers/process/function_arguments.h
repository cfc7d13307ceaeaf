// Typed arguments of functions in processes: types from debug information, locations from the calling convention of
// x86-64 or from debug information.
#pragma once

#include "contract/probe.h"
#include "runtime/dwarf/process_types.h"
#include "runtime/elf/elf_symbols.h"

namespace dscope {

// Fills in probe.args of the `entry` or `return` probe of a function in the object of `scope`, if debug information
// describes the function. Entry: the parameters, up to the first whose location is unknown (Rust does not specify how
// objects are passed). Return: args[0] is the offset of the return instruction, args[1] the returned value.
void load_function_arguments(Probe& probe, const ElfSymbols& symbols, const ProcessScope& scope,
                             ProcessTypes& process_types, TypeTable& types);

}  // namespace dscope
