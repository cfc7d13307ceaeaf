// ArchivedSources: the texts of a bundle, which replace the files of a command line and the D libraries of the machine.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/library_files.h"

namespace dscope {

struct ArchivedSources {
  std::vector<std::string> programs;  // parallel to CommandLine::programs
  std::vector<LibraryFile> libraries;
};

}  // namespace dscope
