#include "frontend/syntax/process_word.h"

#include <climits>

#include "contract/process_provider.h"
#include "frontend/syntax/lexer.h"

namespace dscope {

namespace {

bool is_letter_or_digit(char c) { return c == '_' || is_letter(c) || is_digit(c); }

char at(std::string_view text, size_t index) { return index < text.size() ? text[index] : '\0'; }

size_t end_of_name(std::string_view text, size_t from) {
  while (is_letter_or_digit(at(text, from))) ++from;
  return from;
}

// Returns the offset after an object name and its backquote; `from` if there is no object name.
size_t skip_object(std::string_view text, size_t from) {
  size_t end = from;
  while (end - from < NAME_MAX &&
         (is_letter_or_digit(at(text, end)) || at(text, end) == '.' || at(text, end) == '-' || at(text, end) == '+'))
    ++end;
  return end > from && at(text, end) == '`' ? end + 1 : from;
}

// Returns the offset after <...>; `from` if it does not end on its line.
size_t skip_template_arguments(std::string_view text, size_t from) {
  int depth = 0;
  for (size_t end = from; end < text.size() && text[end] != '\n' && text[end] != ';' && text[end] != '`'; ++end) {
    depth += text[end] == '<';
    depth -= text[end] == '>';
    if (depth == 0) return end + 1;
  }
  return from;
}

// Returns the offset after name [ <...> ] { :: name [ <...> ] }; `from` if there is no name.
size_t skip_type_name(std::string_view text, size_t from) {
  size_t end = from;
  for (;;) {
    size_t name_end = end_of_name(text, end);
    if (name_end == end) return from;
    end = name_end;
    if (at(text, end) == '<') end = skip_template_arguments(text, end);
    if (at(text, end) != ':' || at(text, end + 1) != ':') return end;
    end += 2;
  }
}

}  // namespace

size_t process_word_length(std::string_view text) {
  if (!text.starts_with(pid_provider)) return 0;
  size_t end = pid_provider.size() + (at(text, pid_provider.size()) == '$' ? 1 : 0);
  end = end_of_name(text, end);
  std::string_view process = text.substr(pid_provider.size(), end - pid_provider.size());
  bool is_process = process.empty() || process.find_first_not_of("0123456789") == std::string_view::npos ||
                    (process[0] == '$' && process.size() > 1);
  if (!is_process || at(text, end) != '`') return 0;
  size_t type = skip_object(text, end + 1);
  size_t type_end = skip_type_name(text, type);
  return type_end == type ? 0 : type_end;
}

bool is_process_word(std::string_view word) { return !word.empty() && process_word_length(word) == word.size(); }

std::string_view process_of(std::string_view word) {
  return word.substr(pid_provider.size(), word.find('`') - pid_provider.size());
}

size_t end_of_process_module(std::string_view word) { return word.rfind('`'); }

}  // namespace dscope
