// Messages on standard error. A failed write (a full disk, a closed stream) must not stop the run, but fmt::print()
// would throw.
#pragma once

#include <cstdio>
#include <string_view>
#include <type_traits>
#include <utility>

#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {

// Writes the text, which ends with its own newline, to stderr. Ignores write errors.
inline void print_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

// Strings in messages are names that others may have chosen.
template <typename Argument>
auto visible_argument(const Argument& argument) {
  if constexpr (std::is_convertible_v<const Argument&, std::string_view>) return visible_line(argument);
  else return argument;
}

// Formats and writes the text, which ends with its own newline, to stderr. Makes control characters in its string
// arguments visible, newlines too. Ignores write errors.
template <typename... Arguments>
void print_message(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(fmt::runtime(fmt::string_view(format)), visible_argument(arguments)...));
}

}  // namespace dscope
