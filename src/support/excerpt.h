// The source line below a diagnostic, with the error underlined, as safe text for a terminal.
#pragma once

#include <string>
#include <string_view>

#include "support/source.h"

namespace dscope {

// The capabilities of a terminal. Colors are ECMA-48 escape sequences.
struct Terminal {
  size_t width = 100;  // columns; longer lines are truncated
  bool has_colors = false;
};

// The colors of a diagnostic; empty strings if the terminal has no colors.
struct Palette {
  explicit Palette(const Terminal& terminal);
  std::string_view bold, mark, dim, hint, reset;
};

// Replaces bytes that could affect the terminal by `?`: control characters, invalid UTF-8, and characters that change
// the text direction. Keeps newlines and tabs.
std::string safe_text(std::string_view text);

// Two lines: the source line at `location`, truncated around the mark if it is long, and the mark below `range`.
std::string excerpt(const SourceLocation& location, SourceRange range, const Terminal& terminal);

}  // namespace dscope
