#include "runtime/providers/signatures.h"

#include <algorithm>

#include "runtime/providers/provider.h"
#include "support/text/words.h"

namespace dscope {
namespace {

// Removes blanks, except between two words.
std::string without_blanks(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != ' ') {
      result += text[at];
      continue;
    }
    size_t next = text.find_first_not_of(' ', at);
    bool divides =
        !result.empty() && next != std::string_view::npos && is_word_char(result.back()) && is_word_char(text[next]);
    if (divides) result += ' ';
    if (next == std::string_view::npos) break;
    at = next - 1;
  }
  return result;
}

// Position of the bracket that closes the one at `at`; the end of the text if there is none.
size_t closing(std::string_view text, size_t at) {
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    depth += text[i] == '<' || text[i] == '(';
    depth -= text[i] == '>' || text[i] == ')';
    if (depth == 0) return i;
  }
  return text.size();
}

// Rewrites `const char*` as `char const*`.
void move_const(std::string& text) {
  constexpr std::string_view word = "const ";
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    bool is_first = at > 0 && (text[at - 1] == '(' || text[at - 1] == ',' || text[at - 1] == '<');
    if (!is_first) {
      at += word.size();
      continue;
    }
    text.erase(at, word.size());
    size_t end = at;
    while (end < text.size() && std::string_view("*&,)>").find(text[end]) == std::string_view::npos)
      end = text[end] == '<' || text[end] == '(' ? std::min(closing(text, end) + 1, text.size()) : end + 1;
    text.insert(end, text[end - 1] == '>' ? "const" : " const");
  }
}

std::string plain(std::string_view written) {
  std::string text = without_blanks(written);
  move_const(text);
  replace_all(text, "std::__cxx11::", "std::");
  replace_all(text, "std::__1::", "std::");
  constexpr std::string_view defaults[] = {",std::allocator<", ",std::char_traits<"};
  for (std::string_view each : defaults)
    for (size_t at = 0; (at = text.find(each, at)) != std::string::npos;)
      text.erase(at, closing(text, at + each.size() - 1) + 1 - at);
  replace_all(text, "std::basic_string<char>const", "std::string const");
  replace_all(text, "std::basic_string<char>", "std::string");
  return text;
}

// Escapes each `*` that follows a type and is therefore a pointer, not a wildcard.
std::string with_pointers(std::string_view pattern) {
  std::string result;
  for (size_t at = 0; at < pattern.size(); ++at) {
    char before = at > 0 ? pattern[at - 1] : '(', next = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    bool is_behind_type = is_word_char(before) || before == '>' || (before == '*' && result.ends_with("\\*"));
    bool ends_type = std::string_view("*&,)>").find(next) != std::string_view::npos && next != '\0';
    bool is_pointer = is_behind_type && (ends_type || pattern.substr(at + 1).starts_with("const"));
    if (pattern[at] == '*' && is_pointer) result += '\\';
    result += pattern[at];
  }
  return result;
}

// Position of the bracket that opens the parameters. The brackets of `(anonymous namespace)` and `operator()` do not
// count: they are part of the name.
size_t parameters_of(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<') {
      at = closing(text, at);
    } else if (text[at] == '(') {
      size_t end = closing(text, at);
      std::string_view rest = text.substr(std::min(end + 1, text.size()));
      if (rest.empty() || rest.starts_with("const")) return at;
      at = end;
    }
  }
  return text.size();
}

}  // namespace

bool signature_matches(std::string_view pattern, std::string_view signature) {
  std::string wanted = with_pointers(plain(pattern)), found = plain(signature);
  if (wanted.find('(') == std::string::npos) found.resize(parameters_of(found));
  if (field_matches(wanted, found)) return true;
  size_t end = found.rfind(')');
  return end != std::string::npos && field_matches(wanted, std::string_view{found}.substr(0, end + 1));
}

}  // namespace dscope
