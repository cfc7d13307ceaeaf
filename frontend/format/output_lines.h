// OutputLines: the lines that the formatter writes. It indents, drops blanks at line ends, and aligns the comments at
// the ends of neighboring lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dscope {

class OutputLines {
 public:
  // Appends to the current line.
  void append(std::string_view text) { lines_.back().code += text; }
  void append_space();
  // Ends the current line, unless it is empty, and starts one after `blank_lines` empty ones.
  void begin_line(uint32_t indent, uint32_t blank_lines);
  // A comment that ends the current line.
  void set_comment(std::string_view comment);
  bool is_line_empty() const { return lines_.back().code.empty() && lines_.back().comment.empty(); }
  // The column at which append() continues, from 0.
  size_t column() const;
  // The whole text, with one newline at its end; empty if there are no lines.
  std::string to_string();

 private:
  struct Line {
    uint32_t indent = 0;
    std::string code;
    std::string comment;
  };
  // The column behind the code, in which comments of several lines may have ended lines.
  static size_t end_of(const Line& line);
  void align_comments(size_t begin, size_t end);

  std::vector<Line> lines_{Line{}};
};

// The width of a text on a terminal, where each character of UTF-8 takes one column.
size_t text_width(std::string_view text);

}  // namespace dscope
