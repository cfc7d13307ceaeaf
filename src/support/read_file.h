// Reads whole small files of /proc, /sys and tracefs, whose size is unknown in advance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// Reads from the current position of `file` to its end. `path` is only for the error message.
Result<std::string> read_all(const Fd& file, const char* path);
// `path` is relative to the descriptor `directory`, which may be AT_FDCWD.
Result<std::string> read_file_at(int directory, const char* path);
Result<std::string> read_file(const char* path);
// The number behind the word `name` in a file of /proc, or the first number of the file if `name` is empty; 0 if there
// is none.
uint64_t read_number(const char* path, std::string_view name);

}  // namespace dscope
