// Command lines as sh(1) reads them, without expansions: blanks separate words, and quotes and backslashes protect
// blanks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dscope {

// Single quotes protect everything. In double quotes, a backslash escapes only " \ $ ` and a line end. Outside quotes
// it escapes any character. A backslash before a line end removes both. Fails at an unterminated quote.
Result<std::vector<std::string>> split_shell_words(std::string_view text);

// The word in single quotes, if a shell would change or split it without them.
std::string quote_shell_word(std::string_view word);

}  // namespace dscope
