// What is told beside the output, on standard error. That nobody can hear it (a full disk, a closed stream) is no
// reason to stop: fmt::print() would throw.
#pragma once

#include <cstdio>
#include <utility>

#include "support/format.h"

namespace dscope {

template <typename... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace dscope
