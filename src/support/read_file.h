// Whole small files of /proc, /sys and tracefs, whose size is not known before they are read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// From where `file` stands to its end. `path` is for the error's text.
Result<std::string> read_all(const Fd& file, const char* path);
// `directory`: a descriptor that `path` is relative to, or AT_FDCWD.
Result<std::string> read_file_at(int directory, const char* path);
Result<std::string> read_file(const char* path);
// The number behind the word `name` in a file of /proc, the first of the file if `name` is empty; 0 if there is none.
uint64_t read_number(const char* path, std::string_view name);

}  // namespace dscope
