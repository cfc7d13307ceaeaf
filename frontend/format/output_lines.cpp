#include "frontend/format/output_lines.h"

#include <algorithm>

namespace dscope {

size_t text_width(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void OutputLines::append_space() {
  if (!lines_.back().code.empty()) lines_.back().code += ' ';
}

void OutputLines::begin_line(uint32_t indent, uint32_t blank_lines) {
  if (lines_.size() > 1 || !is_line_empty()) {
    for (uint32_t i = 0; i < blank_lines; ++i) lines_.push_back({});
    lines_.push_back({});
  }
  lines_.back().indent = indent;
}

void OutputLines::set_comment(std::string_view comment) { lines_.back().comment = comment; }

size_t OutputLines::column() const { return end_of(lines_.back()); }

size_t OutputLines::end_of(const Line& line) {
  size_t newline = line.code.rfind('\n');
  return newline == std::string::npos ? line.indent + text_width(line.code)
                                      : text_width(std::string_view(line.code).substr(newline + 1));
}

// Comments of neighboring lines begin in one column, unless a long line would move the others far to the right.
void OutputLines::align_comments(size_t begin, size_t end) {
  constexpr size_t max_difference = 40;
  size_t shortest = SIZE_MAX, longest = 0;
  for (size_t i = begin; i < end; ++i) {
    size_t width = end_of(lines_[i]);
    shortest = std::min(shortest, width);
    longest = std::max(longest, width);
  }
  bool aligns = longest - shortest <= max_difference;
  for (size_t i = begin; i < end; ++i) {
    size_t width = end_of(lines_[i]);
    lines_[i].code += std::string((aligns ? longest - width : 0) + 2, ' ') + lines_[i].comment;
  }
}

std::string OutputLines::to_string() {
  for (size_t i = 0; i < lines_.size(); ++i) {
    size_t begin = i;
    while (i < lines_.size() && !lines_[i].comment.empty() && !lines_[i].code.empty()) ++i;
    if (i > begin) align_comments(begin, i);
  }
  std::string text;
  for (const Line& line : lines_) {
    if (!line.code.empty()) text += std::string(line.indent, ' ') + line.code;
    text += '\n';
  }
  size_t end = text.find_last_not_of('\n');
  return end == std::string::npos ? "" : text.substr(0, end + 1) + "\n";
}

}  // namespace dscope
