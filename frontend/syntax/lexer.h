// Lexer: D text -> tokens, one at a time. Which tokens there are depends on where the parser is (d-language.md 1.2), so
// the parser names the mode with each call. Macros, control lines and the choice between specifier and declaration
// are tokens of their own here; the parser gives them their meaning.
#pragma once

#include <string_view>
#include <utility>

#include "frontend/syntax/token.h"
#include "support/diagnostic.h"

namespace dscope {

bool is_word_start(char c);
// A word with a scoping mark: mod`name.
inline bool is_scoped(std::string_view word) { return word.find('`') != std::string_view::npos; }

class Lexer {
 public:
  Lexer(const SourceUnit& unit, Diagnostics& diagnostics);

  // After the first error, of the lexer or reported through stop(), every token is EndOfFile.
  Token next(LexMode mode);
  void stop() { pos_ = text_.size(); }

  // Gives back the text from offset `begin` on; it must lie in the last token and on its line.
  void rewind(uint32_t begin) { pos_ = begin - unit_.base; }
  // The two characters after the last token and any blanks; 0 past the end.
  std::pair<char, char> peek_characters() const;
  // Whether what follows can end `(word ...)` as a cast: `)`, an abstract declarator, a second word. Arithmetic can
  // not.
  bool may_end_cast() const;
  // True if one or more `*` and then `)` follow.
  bool only_stars_before_paren() const;
  // The text from `begin` to the end of its line.
  std::string_view rest_of_line(uint32_t begin) const;

  // #line: what follows the current line counts as line `number` of `file`.
  void set_next_line(uint32_t number, uint32_t file);
  uint32_t file() const { return file_; }

 private:
  bool at_end() const { return pos_ >= text_.size(); }
  char look(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  size_t skip_blanks(size_t from) const;
  size_t skip_stars(size_t from) const;
  void newline();
  bool skip_ignored(LexMode mode);
  bool skip_comment();
  void skip_to_line_end();
  void skip_quoted(char quote);
  Token next_control_line();

  Token start() const;
  Token finish(Token token, TokenKind kind) const;
  Token fail(Token token, Tag tag, std::string message);

  Token token_in(LexMode mode);
  Token control_line();
  Token outer_token();
  Token inner_token(LexMode mode);
  Token slash(LexMode mode);
  Token word(LexMode mode);
  Token number();
  Token aggregation();
  Token macro();
  Token quoted(char quote);
  Token string_constant(Token token, std::string_view body);
  Token character_constant(Token token, std::string_view body);
  Token punctuator();
  size_t symbol_word_length() const;

  const SourceUnit& unit_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  size_t pos_ = 0;
  uint32_t line_ = 1;
  uint32_t file_ = 0;
  bool at_line_start_ = true;  // only blanks so far on this line
};

}  // namespace dscope
