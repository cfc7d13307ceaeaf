#include "support/probe_text.h"

#include <algorithm>

#include "support/words.h"

namespace dscope {

namespace {

bool is_path_char(char c) {
  bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_alphanumeric || (c != '\0' && std::string_view("/._-+@%~").find(c) != std::string_view::npos);
}

}  // namespace

size_t path_in_description(std::string_view text, size_t at) {
  std::string_view path = text.substr(at);
  if (!path.starts_with('/') || path.starts_with("//")) return 0;
  auto colons = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), ':');
  bool has_no_provider = text.starts_with(':');
  if (colons != (has_no_provider ? 2 : 1)) return 0;
  size_t length = 0;
  while (length < path.size() && is_path_char(path[length])) ++length;
  return length < path.size() && path[length] == ':' ? length : 0;
}

std::string_view descriptions_of(std::string_view program) {
  size_t begin = 0;
  for (size_t at = 0; at < program.size(); ++at) {
    char c = program[at];
    if (c == '{' || c == ';') return program.substr(0, at);
    if (c == ',' || is_blank(c)) begin = at + 1;
    if (c != '/') continue;
    size_t length = path_in_description(program.substr(begin), at - begin);
    if (length == 0) return program.substr(0, at);
    at += length;
  }
  return program;
}

}  // namespace dscope
