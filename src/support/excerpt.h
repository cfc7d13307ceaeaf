// A line of source as it may be shown on a terminal, with the marked part underlined: what stands below a diagnostic.
#pragma once

#include <string>
#include <string_view>

#include "support/source.h"

namespace dscope {

// What a terminal can show. Colors are escape sequences of ECMA-48.
struct Terminal {
  size_t width = 100;  // columns; lines are cut to it
  bool has_colors = false;
};

// The colors of a diagnostic; empty texts where the terminal has none.
struct Palette {
  explicit Palette(const Terminal& terminal);
  std::string_view bold, mark, dim, hint, reset;
};

// `text` without bytes that could change the terminal: control characters, invalid UTF-8 and characters that turn the
// direction of writing become `?`. Newlines and tabs stay.
std::string safe_text(std::string_view text);

// Two lines: the source line of `place`, cut around the marked part if it is long, and the mark below `range`.
std::string excerpt(const SourceLocation& place, SourceRange range, const Terminal& terminal);

}  // namespace dscope
