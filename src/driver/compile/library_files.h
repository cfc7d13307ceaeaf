// Selects the D libraries of a run and their order (d-language.md 8.3): all of the user's libraries, and the built-in
// libraries that define a word of the programs or of other selected libraries (docs/decisions/0008). Words in comments
// count, too. Parsing all built-in libraries would cost 1.3 ms in every run.
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

// The directories with libraries, in search order.
struct LibrarySearch {
  std::string built_in_directory;        // empty if option syslibdir replaces it
  std::vector<std::string> directories;  // the user's: syslibdir, then libdir
  std::string kernel_release;            // chooses among subdirectories named by kernel versions: "6.18.0-rc1"
  const std::vector<LibraryFile>* files = nullptr;  // if not null: replaces the directories
  // If not null: built-in libraries that replace those of the same names.
  const std::vector<LibraryFile>* replaced = nullptr;
};

// Returns the names in the `#pragma D depends_on library` lines of a text.
using FindDependencies = std::vector<std::string> (*)(const std::string& text);

// Returns the libraries that `programs` (texts and macro arguments of the user) need. Each library follows its
// dependencies; otherwise they are ordered by directory and name. Ignores missing directories. Errors: circular
// dependencies, a user's library with a missing dependency, unreadable files.
Result<std::vector<LibraryFile>> needed_libraries(const LibrarySearch& search,
                                                  const std::vector<std::string_view>& programs,
                                                  FindDependencies find_dependencies);

// Returns the directory of this program's file, with links resolved.
std::string program_directory();

// Returns the directory of the built-in libraries: installed beside this program, below the configured prefix, or in
// the source tree if the program is not installed. Empty if none exists.
std::string library_directory();

// Returns the part of a path after its last slash.
std::string_view file_name(std::string_view path);

// The size of the largest program. Endless files such as /dev/zero have no end.
inline constexpr size_t max_text_bytes = size_t{16} << 20;

// Reads the whole file. Errors: "failed to open PATH: ...", more than max_text_bytes.
Result<std::string> read_text(const std::string& path);

}  // namespace dscope
