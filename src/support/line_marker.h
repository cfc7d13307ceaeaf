// Line markers, in which a C preprocessor states the origin of its output: # 12 "file.h" 1 3. Pure functions over text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

struct LineMarker {
  uint32_t line = 0;       // number of the line behind the marker
  std::string file;        // empty: the same file as before
  bool is_enter = false;   // flag 1: an included file begins
  bool is_leave = false;   // flag 2: an included file has ended, and its includer continues
  bool is_system = false;  // flag 3: the file is in a system directory
};

// Parses one line, without its newline: # N ["file" [flags]] or #line N ["file" [flags]]. Returns nothing for any other
// line.
std::optional<LineMarker> parse_line_marker(std::string_view line);

// The number of the line of `text` that contains byte `at`, according to the line markers above it.
uint32_t marked_line(std::string_view text, size_t at);

}  // namespace dscope
