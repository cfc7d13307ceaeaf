// The formatter: a D text in the style of dscope's own scripts. It changes blanks, line ends and the indentation of
// comments, never a token: the text parses to the same tree. Its result is a fixed point: formatted again, it stays.
// docs/decisions/0061 describes the style. It needs no machine and no types.
#pragma once

#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

// Errors: text that the lexer rejects, with its line and column. Text that only the parser rejects is formatted as far
// as its braces and semicolons tell.
Result<std::string> format_source(std::string_view text);

}  // namespace dscope
