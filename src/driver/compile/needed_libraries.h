// The D libraries of a compilation: where they are, and which ones its programs need.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compilation.h"
#include "driver/compile/library_files.h"

namespace dscope {

LibrarySearch library_search(const OptionValues& options, const Compilation& out);

// The names in the `#pragma D depends_on library` lines of a text.
std::vector<std::string> library_dependencies_of(const std::string& text);

// The libraries that the user's units and the operands need. Fails if a library of the user is unreadable.
Result<std::vector<LibraryFile>> find_libraries(const Compilation& out, const CommandLine& command_line,
                                                const OptionValues& options);

}  // namespace dscope
