#include "runtime/providers/process/function_names.h"

#include <algorithm>

namespace dscope {

namespace {

// By how much the letter at `at` changes the depth of nested brackets. The arrow of function types is no bracket.
int depth_change(std::string_view name, size_t at) {
  if (name[at] == '<') return 1;
  bool is_arrow = at > 0 && name[at - 1] == '-';
  return name[at] == '>' && !is_arrow ? -1 : 0;
}

// The position of the bracket that closes the one at `open`; npos if there is none.
size_t closing_bracket(std::string_view name, size_t open) {
  int depth = 0;
  for (size_t at = open; at < name.size(); ++at) {
    depth += depth_change(name, at);
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

// The type in `X as T`.
std::string_view implementing_type(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += depth_change(text, at);
    if (depth == 0 && text.substr(at).starts_with(" as ")) return text.substr(0, at);
  }
  return text;
}

bool is_parameter(std::string_view argument) {
  while (argument.starts_with(' ')) argument.remove_prefix(1);
  while (argument.ends_with(' ')) argument.remove_suffix(1);
  bool is_name = argument == "_" || (!argument.empty() && argument[0] >= 'A' && argument[0] <= 'Z');
  return is_name && argument.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

constexpr std::string_view separator = "::";

}  // namespace

std::string source_path(std::string_view name) {
  std::string result;
  for (size_t at = 0; at < name.size(); ++at) {
    size_t end = name[at] == '<' ? closing_bracket(name, at) : std::string_view::npos;
    if (name[at] == '<' && end != std::string_view::npos && result.empty()) {
      result = source_path(implementing_type(name.substr(1, end - 1)));
      at = end;
    } else if (name[at] == '<' && result.ends_with(separator)) {
      result.resize(result.size() - separator.size());
      result += '<';
    } else if (name[at] != ' ') {
      result += name[at];
    }
  }
  return result;
}

bool has_only_parameters(std::string_view pattern) {
  size_t open = pattern.find('<');
  if (open == std::string_view::npos) return false;
  for (; open != std::string_view::npos; open = pattern.find('<', open)) {
    size_t end = closing_bracket(pattern, open);
    if (end == std::string_view::npos) return false;
    std::string_view rest = pattern.substr(open + 1, end - open - 1);
    while (true) {
      size_t comma = std::min(rest.find(','), rest.size());
      if (!is_parameter(rest.substr(0, comma))) return false;
      if (comma == rest.size()) break;
      rest.remove_prefix(comma + 1);
    }
    open = end;
  }
  return true;
}

std::string without_generic_arguments(std::string_view name) {
  if (name.find('<') == std::string_view::npos || name.find("operator") != std::string_view::npos)
    return std::string{name};
  std::string result;
  for (size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '<') {
      result += name[at];
      continue;
    }
    size_t end = closing_bracket(name, at);
    if (end == std::string_view::npos) return std::string{name};
    // A bracket at the start of a path is a type, elsewhere it holds arguments.
    if (result.empty()) result = without_generic_arguments(implementing_type(name.substr(1, end - 1)));
    else if (result.ends_with(separator)) result.resize(result.size() - separator.size());
    at = end;
  }
  return result;
}

}  // namespace dscope
