// Which D libraries a run compiles, and in which order (d-language.md 8.3). Libraries of the user are all taken. Of
// those that come with dscope only files are taken that define a word which the programs or other libraries use
// (docs/decisions/0008): parsing all of them would cost 1.3 ms in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

struct LibraryFile {
  std::string path;
  std::string text;
  bool is_built_in = false;               // came with dscope: its mistakes are not the user's
  std::vector<std::string> dependencies;  // names in its `#pragma D depends_on library` lines
};

// Where libraries are looked for, in this order.
struct LibrarySearch {
  std::string built_in_directory;        // empty: none, because of option syslibdir
  std::vector<std::string> directories;  // of the user: syslibdir, then libdir
  std::string kernel_release;            // chooses among subdirectories named by kernel versions: "6.18.0-rc1"
};

// The names in the `#pragma D depends_on library` lines of a text.
using FindDependencies = std::vector<std::string> (*)(const std::string& text);

// The libraries that `programs` (texts and macro arguments of the user) need, each behind those it depends on, else by
// directory and name. A directory that is not there has no libraries. Errors: libraries that depend on each other, a
// user's library that depends on one that does not exist, unreadable files.
Result<std::vector<LibraryFile>> needed_libraries(const LibrarySearch& search,
                                                  const std::vector<std::string_view>& programs,
                                                  FindDependencies find_dependencies);

// The directory of the libraries that come with dscope: the one installed with this program, that of the configured
// prefix, or the source tree's for a program that is not installed. Empty if there is none.
std::string library_directory();

// The part of a path behind its last slash.
std::string_view file_name(std::string_view path);

// The whole file. Error: "failed to open PATH: ...".
Result<std::string> read_text(const std::string& path);

}  // namespace dscope
