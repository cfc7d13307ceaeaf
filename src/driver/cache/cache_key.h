// The key of a run's code in the cache: everything that the compiler's result depends on.
#pragma once

#include <optional>
#include <string>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"

namespace dscope {

// Whether the run does nothing with its programs but trace. A run that prints products of the compiler must compile.
bool only_traces(const CommandLine& command_line, const OptionValues& options);

// Returns the inputs of the compilation as text: the compiler, the programs with the content of their scripts, macro
// arguments, options, libraries, the booted kernel with its modules, the CPUs and the privileges of this process. Two
// runs with equal keys compile to the same code. nullopt if the run must compile: it does not only trace, runs the
// preprocessor, reads a program from a pipe, or option cache is off.
//
// `compiler`: path of the program that compiles; `options`: before the pragmas of the programs.
std::optional<std::string> cache_key(const CommandLine& command_line, const OptionValues& options,
                                     const std::string& compiler);

}  // namespace dscope
