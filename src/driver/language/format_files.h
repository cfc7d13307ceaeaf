// dscope --fmt: formats D programs in files, or standard input to standard output.
#pragma once

#include <span>
#include <string_view>

#include "support/result.h"

namespace dscope {

// arguments: "--fmt", "--fmt=write" or "--fmt=check" and the files; none, or "-", is standard input.
//   --fmt        prints the formatted text of each file
//   --fmt=write  replaces the files whose text changes, and keeps their mode and owner
//   --fmt=check  prints the names of the files whose text would change; the status is then 1
// Returns the exit status. A file that cannot be read or formatted is reported on standard error, gives the status 1
// and does not keep the others from being formatted. The error of wrong arguments has the status 2.
Result<int> format_files(std::string_view program_name, std::span<const char* const> arguments);

}  // namespace dscope
