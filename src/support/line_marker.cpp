#include "support/line_marker.h"

#include <algorithm>
#include <charconv>

namespace dscope {

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

// Parses a number at the start of `text` and removes it.
std::optional<uint32_t> parse_number(std::string_view& text) {
  uint32_t number = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || number > INT32_MAX) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (!text.empty() && text.front() != '"' && blanks.find(text.front()) == std::string_view::npos) return std::nullopt;
  text = without_blanks(text);
  return number;
}

// Parses a quoted name at the start of `text` and removes it. cpp escapes `"` and `\` with a backslash.
std::optional<std::string> parse_name(std::string_view& text) {
  std::string name;
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"') {
      text = without_blanks(text.substr(at + 1));
      return name;
    }
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    name += text[at];
  }
  return std::nullopt;
}

}  // namespace

std::optional<LineMarker> parse_line_marker(std::string_view line) {
  std::string_view rest = without_blanks(line);
  if (!rest.starts_with('#')) return std::nullopt;
  rest = without_blanks(rest.substr(1));
  if (rest.starts_with("line")) rest = without_blanks(rest.substr(4));
  auto number = parse_number(rest);
  if (!number) return std::nullopt;
  LineMarker marker{.line = *number, .file = {}};
  if (rest.starts_with('"')) {
    auto name = parse_name(rest);
    if (!name) return std::nullopt;
    marker.file = std::move(*name);
  }
  while (!rest.empty()) {
    auto flag = parse_number(rest);
    if (!flag) return std::nullopt;
    marker.is_enter = marker.is_enter || flag == 1U;
    marker.is_leave = marker.is_leave || flag == 2U;
    marker.is_system = marker.is_system || flag == 3U;
  }
  return marker;
}

uint32_t marked_line(std::string_view text, size_t at) {
  uint32_t line = 1;
  for (size_t begin = 0;;) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos || at <= end) return line;
    auto marker = parse_line_marker(text.substr(begin, end - begin));
    line = marker ? marker->line : line + 1;
    begin = end + 1;
  }
}

}  // namespace dscope
