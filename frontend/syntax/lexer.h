// Lexer: turns D text into tokens, one at a time. The set of tokens depends on the parser's position (d-language.md
// 1.2), so the parser passes the mode with each call. The lexer returns macros, control lines and the words of probe
// descriptions unexpanded; the parser interprets them.
#pragma once

#include <string_view>
#include <utility>

#include "frontend/syntax/token.h"
#include "support/diagnostic.h"

namespace dscope {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_word_start(char c) { return is_letter(c) || c == '_' || c == '`'; }
// True for a word with a scoping backquote: mod`name.
inline bool is_scoped(std::string_view word) { return word.find('`') != std::string_view::npos; }

class Lexer {
 public:
  Lexer(const SourceUnit& unit, Diagnostics& diagnostics);

  // Returns EndOfFile for every token after the lexer's first error and after stop().
  Token next(LexMode mode);
  void stop() { pos_ = text_.size(); }

  // Moves back to offset `begin`, which must lie in the last token and on its line.
  void rewind(uint32_t begin) { pos_ = begin - unit_.base; }
  // Returns the two characters after the last token and any blanks; 0 past the end.
  std::pair<char, char> peek_characters() const;
  // True if the next characters can end `(word ...)` as a cast: `)`, an abstract declarator or a second word, but no
  // arithmetic.
  bool may_end_cast() const;
  // True if one or more `*` and then `)` follow.
  bool has_only_stars_before_paren() const;
  // Returns the text from `begin` to the end of its line.
  std::string_view rest_of_line(uint32_t begin) const;

  // #line: the line after the current line counts as line `number` of `file`.
  void set_next_line(uint32_t number, uint32_t file);
  uint32_t file() const { return file_; }

 private:
  bool at_end() const { return pos_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  size_t skip_blanks(size_t from) const;
  size_t skip_stars(size_t from) const;
  void begin_line();
  bool skip_blanks_and_comments(LexMode mode);
  bool skip_comment();
  void skip_to_line_end();
  void skip_quoted(char quote);
  Token find_control_line();

  Token start() const;
  Token finish(Token token, TokenKind kind) const;
  Token fail(Token token, Tag tag, std::string message);

  Token lex_token(LexMode mode);
  Token lex_control_line();
  bool is_line_mark() const;
  Token lex_outer_token();
  Token lex_inner_token(LexMode mode);
  Token lex_slash(LexMode mode);
  Token lex_word(LexMode mode);
  Token lex_number();
  Token lex_aggregation();
  Token lex_macro();
  Token lex_quoted(char quote);
  Token finish_string(Token token, std::string_view body);
  Token finish_character(Token token, std::string_view body);
  Token lex_punctuator();
  size_t word_length() const;

  const SourceUnit& unit_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  size_t pos_ = 0;
  uint32_t line_ = 1;
  uint32_t file_ = 0;
  bool at_line_start_ = true;  // only blanks so far on this line
};

}  // namespace dscope
