// The surroundings of an error in D text: words, the previous token, the nesting depth. The text did not parse, so this
// class recognizes only strings, comments and brackets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace dscope {

// Whether a probe name such as tick-1s or profile-997 begins with this word.
constexpr bool is_interval_kind(std::string_view word) { return word == "tick" || word == "profile"; }

class SourceContext {
 public:
  // Keeps views into the texts of `sources`.
  SourceContext(const SourceSet& sources, const Diagnostic& error);

  bool is_script() const { return is_script_; }
  std::string_view text() const { return text_; }
  // The text that the error marks, and all text from there on.
  std::string_view marked() const { return text_.substr(at_, end_ - at_); }
  std::string_view rest() const { return text_.substr(at_); }
  // The identifier that begins at the error; empty if there is none.
  std::string_view word() const { return word_at(at_); }
  // The identifier that begins `offset` characters after the error.
  std::string_view word_at_offset(size_t offset) const { return word_at(std::min(at_ + offset, text_.size())); }
  // The identifier before the error, perhaps with blanks and comments between them.
  std::string_view previous_word() const;
  // The last identifier before the error, which `*` and `)` may follow: `proc_t` of `(proc_t *)x`.
  std::string_view previous_type_word() const;
  // The last identifier of the marked text: `t_procp` of `curthread->t_procp`.
  std::string_view last_marked_word() const;
  // The last character before the error except blanks and comments; '\0' at the start.
  char previous_character() const { return previous_ == 0 ? '\0' : text_[previous_ - 1]; }
  // previous_character() and the character before it: "==".
  std::string_view previous_pair() const { return text_.substr(previous_ < 2 ? 0 : previous_ - 2, 2); }
  // Whether only blanks of the same line are between that character and the error.
  bool is_on_same_line() const;
  // Whether nothing is between that character and the error.
  bool is_adjacent() const { return previous_ == at_; }
  // The first word of the statement that contains the error.
  std::string_view statement_word() const { return word_at(statement_); }
  // The statement that contains the error, from its start up to the error.
  std::string_view statement() const { return text_.substr(statement_, at_ - statement_); }
  // All text from the beginning of that statement.
  std::string_view from_statement() const { return text_.substr(statement_); }
  size_t parens() const { return parens_; }
  size_t braces() const { return open_braces_.size(); }
  // Lines of the error and of the last `{` that is open there, counted from 1.
  size_t line() const { return line_of(at_); }
  size_t open_brace_line() const { return open_braces_.empty() ? 0 : line_of(open_braces_.back()); }

 private:
  std::string_view word_at(size_t at) const;
  std::string_view word_before(size_t end) const;
  size_t line_of(size_t at) const;
  void scan();
  size_t skip_quoted(size_t at) const;

  std::string_view text_;
  size_t at_ = 0, end_ = 0;
  size_t previous_ = 0;   // the offset after the last significant character before the error
  size_t statement_ = 0;  // the offset of the statement
  size_t parens_ = 0;
  std::vector<size_t> open_braces_;  // the offsets of the open braces
  bool is_script_ = false;
};

}  // namespace dscope
