// Messages on standard error. A failed write (a full disk, a closed stream) must not stop the run, but fmt::print()
// would throw.
#pragma once

#include <cstdio>
#include <utility>

#include "support/format.h"

namespace dscope {

// Formats and writes the text, which ends with its own newline, to stderr. Ignores write errors.
template <typename... Arguments>
void print_message(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace dscope
