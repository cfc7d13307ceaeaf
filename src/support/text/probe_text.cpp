#include "support/text/probe_text.h"

#include <algorithm>

#include "support/text/words.h"

namespace dscope {

namespace {

bool is_path_char(char c) {
  bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_alphanumeric || (c != '\0' && std::string_view("/._-+@%~").find(c) != std::string_view::npos);
}

}  // namespace

size_t path_length_at(std::string_view text, size_t at) {
  std::string_view path = text.substr(at);
  if (!path.starts_with('/') || path.starts_with("//")) return 0;
  auto colons = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), ':');
  bool has_no_provider = text.starts_with(':');
  if (colons != (has_no_provider ? 2 : 1)) return 0;
  size_t length = 0;
  while (length < path.size() && is_path_char(path[length])) ++length;
  return length < path.size() && path[length] == ':' ? length : 0;
}

size_t bracketed_length_at(std::string_view text, size_t at) {
  auto colons = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), ':');
  if (colons < 2 || at == text.size()) return 0;
  if (text[at] == '~') return text[at - 1] == ':' ? 1 : 0;
  if (text[at] != '(' && text[at] != '<') return 0;
  bool begins_field = text[at - 1] == ':';
  if (begins_field && !text.substr(at).starts_with("(anonymous ")) return 0;
  int depth = 0;
  for (size_t end = at; end < text.size() && std::string_view("{};\n").find(text[end]) == std::string_view::npos;
       ++end) {
    depth += text[end] == '(' || text[end] == '<';
    depth -= text[end] == ')' || text[end] == '>';
    if (depth > 0) continue;
    constexpr std::string_view suffix = " const";
    size_t length = end + 1 - at;
    bool is_const = text.substr(end + 1).starts_with(suffix) && text.substr(end + 1 + suffix.size()).starts_with(':');
    return is_const ? length + suffix.size() : length;
  }
  return 0;
}

std::string_view leading_descriptions(std::string_view program) {
  size_t begin = 0;
  for (size_t at = 0; at < program.size(); ++at) {
    char c = program[at];
    if (c == '{' || c == ';') return program.substr(0, at);
    if (size_t length = bracketed_length_at(program.substr(begin), at - begin); length > 0) {
      at += length - 1;
      continue;
    }
    if (c == ',' || is_blank(c)) begin = at + 1;
    if (c != '/') continue;
    size_t length = path_length_at(program.substr(begin), at - begin);
    if (length == 0) return program.substr(0, at);
    at += length;
  }
  return program;
}

}  // namespace dscope
