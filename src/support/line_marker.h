// Line markers, by which a C preprocessor says where its output comes from: # 12 "file.h" 1 3. Pure functions over
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dscope {

struct LineMarker {
  uint32_t line = 0;       // of the text behind the marker
  std::string file;        // empty: as before
  bool is_enter = false;   // flag 1: an included file begins
  bool is_leave = false;   // flag 2: an included file has ended, this is its includer
  bool is_system = false;  // flag 3: found in the system's directories
};

// `line` is one line of text, without its newline: # N ["file" [flags]] or #line N ["file" [flags]]. Nothing if it is
// anything else.
std::optional<LineMarker> parse_line_marker(std::string_view line);

// The number, by the markers above it, of the line of `text` that holds byte `at`. Without markers the line as counted.
uint32_t marked_line(std::string_view text, size_t at);

}  // namespace dscope
