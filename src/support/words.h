// The words of a text: what any definition in it could be named. Cheap, and enough to tell what is certainly not there.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace dscope {

using Words = std::unordered_set<std::string_view>;  // views into texts that must outlive them

bool is_word_char(char c);
// Blanks and ends of lines, as isspace(3) of the C locale.
inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// ASCII letters only.
bool equals_ignoring_case(std::string_view a, std::string_view b);
// `text` as a message may show it: control characters by their numbers, as in C's \012.
std::string printable(std::string_view text);
// Adds every run of letters, digits and underscores in `text`.
void add_words(std::string_view text, Words& words);
// Replaces `part` wherever it is in `text`; not again in what it was replaced by.
void replace_all(std::string& text, std::string_view part, std::string_view by);

}  // namespace dscope
