// The set of words in a text, which contains the name of each definition in it. It is cheap to compute, and a name that
// is not in it is certainly not defined in the text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace dscope {

using Words = std::unordered_set<std::string_view>;  // views into texts that must outlive them

bool is_word_char(char c);
// Blanks and line ends, like isspace(3) in the C locale.
inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// Ignores the case of ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b);
// Escapes control characters for messages, as in C's \012.
std::string printable(std::string_view text);
// Adds every run of letters, digits and underscores in `text`.
void add_words(std::string_view text, Words& words);
// Replaces all occurrences of `part` in `text`, but none in the replacements.
void replace_all(std::string& text, std::string_view part, std::string_view by);

}  // namespace dscope
