// Which D libraries a run needs. Parsing all of them costs 1.3 ms in every run, so only files are taken that define a
// word the programs use, and what those files use in turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

struct LibraryFile {
  std::string path;
  std::string text;
};

// All *.d files of `directory` that `programs` (texts and macro arguments of the user) need, in name order.
Result<std::vector<LibraryFile>> needed_libraries(const std::string& directory,
                                                  const std::vector<std::string_view>& programs);

// The whole file. Error: "failed to open PATH: ...".
Result<std::string> read_text(const std::string& path);

}  // namespace dscope
