// Selects the D libraries of a run and their order (d-language.md 8.3): all of the user's libraries, and those built-in
// libraries that define a word which the programs or other libraries use (docs/decisions/0008). Parsing all built-in
// libraries would cost 1.3 ms in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

struct LibraryFile {
  std::string path;
  std::string text;
  bool is_built_in = false;               // part of dscope: its mistakes are not the user's
  std::vector<std::string> dependencies;  // names in its `#pragma D depends_on library` lines
};

// The directories in which libraries are searched, in this order.
struct LibrarySearch {
  std::string built_in_directory;        // empty if option syslibdir replaces it
  std::vector<std::string> directories;  // of the user: syslibdir, then libdir
  std::string kernel_release;            // chooses among subdirectories named by kernel versions: "6.18.0-rc1"
};

// The names in the `#pragma D depends_on library` lines of a text.
using FindDependencies = std::vector<std::string> (*)(const std::string& text);

// The libraries that `programs` (texts and macro arguments of the user) need. Each follows those it depends on;
// otherwise they are ordered by directory and name. Missing directories are ignored. Errors: circular dependencies, a
// user's library that depends on a missing one, unreadable files.
Result<std::vector<LibraryFile>> needed_libraries(const LibrarySearch& search,
                                                  const std::vector<std::string_view>& programs,
                                                  FindDependencies find_dependencies);

// The directory of the built-in libraries: installed beside this program, below the configured prefix, or in the source
// tree if the program is not installed. Empty if none exists.
std::string library_directory();

// The part of a path after its last slash.
std::string_view file_name(std::string_view path);

// Reads the whole file. Error: "failed to open PATH: ...".
Result<std::string> read_text(const std::string& path);

}  // namespace dscope
