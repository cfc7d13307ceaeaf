// The matcher walks both texts once and backtracks only to the last `*`: linear for usual patterns, quadratic in the
// worst case.
#include "support/text/glob.h"

namespace dscope {
namespace {

constexpr std::string_view special_characters = "[?*\\";

// The length of the set that starts at pattern[0] == '['; 0 if the set is not closed, which makes `[` an ordinary
// character.
size_t set_length(std::string_view pattern) {
  size_t at = 1;
  if (at < pattern.size() && pattern[at] == '!') ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;  // a leading `]` is a member
  while (at < pattern.size() && pattern[at] != ']') at += pattern[at] == '\\' ? 2 : 1;
  return at < pattern.size() ? at + 1 : 0;
}

// Removes the next member of a set from its front and returns it. `\c` stands for c.
unsigned char take_character(std::string_view& set) {
  if (set.size() > 1 && set[0] == '\\') set.remove_prefix(1);
  unsigned char character = static_cast<unsigned char>(set[0]);
  set.remove_prefix(1);
  return character;
}

// `set` excludes the brackets.
bool set_contains(std::string_view set, unsigned char character) {
  bool is_negated = set.starts_with('!');
  if (is_negated) set.remove_prefix(1);
  bool is_member = false;
  while (!set.empty()) {
    unsigned char first = take_character(set);
    unsigned char last = first;
    if (set.size() > 1 && set[0] == '-') {
      set.remove_prefix(1);
      last = take_character(set);
    }
    is_member |= first <= character && character <= last;
  }
  return is_member != is_negated;
}

// The length of the pattern's first element if it matches `character`, else 0. The element must not be `*`.
size_t match_one(std::string_view pattern, char character) {
  if (pattern.empty()) return 0;
  if (pattern[0] == '?') return 1;
  if (pattern[0] == '\\' && pattern.size() > 1) return pattern[1] == character ? 2 : 0;
  size_t length = pattern[0] == '[' ? set_length(pattern) : 0;
  if (length == 0) return pattern[0] == character ? 1 : 0;
  return set_contains(pattern.substr(1, length - 2), static_cast<unsigned char>(character)) ? length : 0;
}

}  // namespace

bool is_glob(std::string_view pattern) { return pattern.find_first_of(special_characters) != std::string_view::npos; }

bool glob_matches(std::string_view pattern, std::string_view text) {
  constexpr size_t none = std::string_view::npos;
  size_t p = 0, t = 0, after_star = none, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      star_text = t;
    } else if (size_t used = match_one(pattern.substr(p), text[t])) {
      p += used;
      ++t;
    } else if (after_star != none) {
      p = after_star;  // let the star match one more character
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == none;
}

std::string_view glob_prefix(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of(special_characters));
}

}  // namespace dscope
