#include "frontend/syntax/lexer.h"

#include <algorithm>

#include "frontend/syntax/literal.h"
#include "frontend/syntax/process_word.h"
#include "support/text/probe_text.h"
#include "support/text/utf8.h"
#include "support/text/words.h"

namespace dscope {

namespace {

bool is_scoped_word_char(char c) { return is_word_start(c) || is_digit(c); }

// pspec-start and pspec-char of d-language.md 1.2.
bool is_outer_start(char c) {
  return is_letter(c) || c == '_' || (c != '\0' && std::string_view("-$:.?*\\[]!").find(c) != std::string_view::npos);
}
bool is_outer_char(char c) { return is_outer_start(c) || is_digit(c) || c == '`'; }

// Returns the length of the line continuation at the beginning of `text`; 0 if there is none.
size_t continuation_length(std::string_view text) {
  if (text.starts_with("\\\n")) return 2;
  return text.starts_with("\\\r\n") ? 3 : 0;
}

}  // namespace

Lexer::Lexer(const SourceUnit& unit, Diagnostics& diagnostics)
    : unit_(unit), text_(unit.text), diagnostics_(diagnostics) {
  if (text_.starts_with(byte_order_mark)) pos_ = byte_order_mark.size();
}

// ---------------------------------------------------------------- blanks and comments

size_t Lexer::skip_blanks(size_t from) const {
  while (from < text_.size()) {
    size_t length = is_blank(text_[from]) ? 1 : continuation_length(text_.substr(from));
    if (length == 0) break;
    from += length;
  }
  return from;
}

std::pair<char, char> Lexer::peek_characters() const {
  size_t at = skip_blanks(pos_);
  return {at < text_.size() ? text_[at] : '\0', at + 1 < text_.size() ? text_[at + 1] : '\0'};
}

// Returns the offset after any `*`s and the blanks around them.
size_t Lexer::skip_stars(size_t from) const {
  from = skip_blanks(from);
  while (from < text_.size() && text_[from] == '*') from = skip_blanks(from + 1);
  return from;
}

bool Lexer::has_only_stars_before_paren() const {
  size_t begin = skip_blanks(pos_), end = skip_stars(pos_);
  return end > begin && end < text_.size() && text_[end] == ')';
}

bool Lexer::may_end_cast() const {
  size_t begin = skip_blanks(pos_), end = skip_stars(pos_);
  if (end >= text_.size()) return false;
  std::string_view rest = text_.substr(end);
  if (rest[0] == ')' || rest[0] == '(' || rest[0] == '[') return true;
  if (end == begin) return is_word_start(rest[0]);
  return rest.starts_with("const") || rest.starts_with("volatile") || rest.starts_with("restrict");
}

std::string_view Lexer::rest_of_line(uint32_t begin) const {
  std::string_view rest = text_.substr(begin - unit_.base);
  return rest.substr(0, rest.find('\n'));
}

void Lexer::set_next_line(uint32_t number, uint32_t file) {
  line_ = number - 1;  // the lexer has yet to read the newline that ends the control line
  file_ = file;
}

void Lexer::begin_line() {
  ++line_;
  at_line_start_ = true;
}

void Lexer::skip_to_line_end() {
  while (!at_end() && peek() != '\n') ++pos_;
}

// Returns false after an error.
bool Lexer::skip_blanks_and_comments(LexMode mode) {
  for (; !at_end();) {
    char c = peek();
    if (is_blank(c)) {
      ++pos_;
      if (c == '\n') begin_line();
    } else if (size_t length = continuation_length(text_.substr(pos_)); length > 0) {
      pos_ += length;
      begin_line();
    } else if (c == '/' && peek(1) == '*') {
      if (!skip_comment()) return false;
    } else if (c == '/' && peek(1) == '/' && mode != LexMode::Predicate) {
      // Not in a predicate: there the first slash may end the predicate, as in `x//* why */ {`.
      skip_to_line_end();
    } else if (c == '#' && peek(1) == '!' && at_line_start_) {
      skip_to_line_end();
    } else {
      return true;
    }
  }
  return true;
}

bool Lexer::skip_comment() {
  Token token = start();
  at_line_start_ = false;
  for (pos_ += 2; !at_end(); ++pos_) {
    if (peek() == '\n') begin_line();
    if (peek() == '*' && peek(1) == '/') {
      pos_ += 2;
      at_line_start_ = false;
      return true;
    }
    if (peek() == '/' && peek(1) == '*') {
      token = start();
      pos_ += 2;
      fail(token, Tag::D_SYNTAX, "/* encountered inside a comment");
      return false;
    }
  }
  fail(token, Tag::D_SYNTAX, "end of input encountered inside a comment");
  return false;
}

// ---------------------------------------------------------------- tokens

Token Lexer::start() const {
  Token token;
  token.range.begin = token.range.end = unit_.base + static_cast<uint32_t>(pos_);
  token.line = line_;
  token.file = file_;
  return token;
}

Token Lexer::finish(Token token, TokenKind kind) const {
  token.kind = kind;
  token.range.end = unit_.base + static_cast<uint32_t>(pos_);
  token.line = line_;
  return token;
}

Token Lexer::fail(Token token, Tag tag, std::string message) {
  token = finish(std::move(token), TokenKind::EndOfFile);
  diagnostics_.error(tag, token.at(), "{}", message);
  stop();
  return token;
}

// Skips a string or character constant, or the rest of its line if the constant does not end there.
void Lexer::skip_quoted(char quote) {
  for (++pos_; !at_end() && peek() != '\n'; ++pos_) {
    if (peek() == quote) {
      ++pos_;
      return;
    }
    if (peek() == '\\' && peek(1) != '\n') ++pos_;
  }
}

Token Lexer::find_control_line() {
  while (skip_blanks_and_comments(LexMode::ControlScan) && !at_end()) {
    if (peek() == '#' && at_line_start_) return lex_control_line();
    at_line_start_ = false;
    if (peek() == '"' || peek() == '\'') skip_quoted(peek());
    else ++pos_;
  }
  return start();
}

Token Lexer::next(LexMode mode) {
  Token token = lex_token(mode);
  token.mode = mode;
  return token;
}

Token Lexer::lex_token(LexMode mode) {
  if (mode == LexMode::ControlScan) return find_control_line();
  if (!skip_blanks_and_comments(mode) || at_end()) return start();
  if (peek() == '#' && at_line_start_) return lex_control_line();
  at_line_start_ = false;
  return mode == LexMode::Outer ? lex_outer_token() : lex_inner_token(mode);
}

Token Lexer::lex_control_line() {
  Token token = start();
  size_t begin = ++pos_;
  skip_to_line_end();
  if (at_end()) return fail(token, Tag::D_SYNTAX, "end of input encountered inside a control line");
  token.text = text_.substr(begin, pos_ - begin);
  return finish(std::move(token), TokenKind::ControlLine);
}

// The `@` between file and line: cart.c@64, cart.c@*.
bool Lexer::is_line_mark() const {
  return peek() == '@' && (is_digit(peek(1)) || peek(1) == '*' || peek(1) == '?' || peek(1) == '[');
}

Token Lexer::lex_outer_token() {
  Token token = start();
  if (is_digit(peek())) {
    IntegerText integer = scan_integer(text_.substr(pos_));
    size_t length = integer.length;
    while (length > 1 && std::string_view("uUlL").find(peek(length - 1)) != std::string_view::npos) --length;
    token.text = text_.substr(pos_, length);
    token.value = integer.value;
    pos_ += length;
    if (integer.error == IntegerError::BadDigit)
      return fail(token, Tag::D_INT_DIGIT, fmt::format("invalid digit in integer constant {}", token.text));
    if (integer.error == IntegerError::Overflow) token.value = UINT64_MAX;
    return finish(std::move(token), TokenKind::Integer);
  }
  if (!is_outer_start(peek())) return lex_punctuator();
  size_t begin = pos_;
  while (!at_end() && continuation_length(text_.substr(pos_)) == 0) {
    if (is_outer_char(peek()) || is_line_mark()) ++pos_;
    else if (size_t path = path_length_at(text_.substr(begin), pos_ - begin); path > 0) pos_ += path;
    else if (size_t part = bracketed_length_at(text_.substr(begin), pos_ - begin); part > 0) pos_ += part;
    else break;
  }
  token.text = text_.substr(begin, pos_ - begin);
  return finish(std::move(token), TokenKind::OuterWord);
}

Token Lexer::lex_inner_token(LexMode mode) {
  char c = peek();
  if (is_word_start(c)) return lex_word(mode);
  if (is_digit(c)) return lex_number();
  switch (c) {
    case '/': return lex_slash(mode);
    case '"':
    case '\'': return lex_quoted(c);
    case '@': return lex_aggregation();
    case '$': return lex_macro();
    default: return lex_punctuator();
  }
}

// `/` closes the predicate only before `{`, `;`, `/` or the end; elsewhere it divides. It also closes the predicate
// before `#`: the preprocessor may insert a line marker there, and `#` begins no operand.
Token Lexer::lex_slash(LexMode mode) {
  bool in_predicate = mode == LexMode::Predicate || mode == LexMode::PredicateNested;
  if (!in_predicate || peek(1) == '=') return lex_punctuator();
  size_t after = skip_blanks(pos_ + 1);
  char c = after < text_.size() ? text_[after] : ';';
  bool closes = c == '{' || c == ';' || c == '/' || c == '#';
  // Within parentheses a comment may follow a division. Otherwise the predicate ends with a parenthesis still open.
  bool is_comment = c == '/' && after + 1 < text_.size() && (text_[after + 1] == '*' || text_[after + 1] == '/');
  if (!closes || (mode == LexMode::PredicateNested && is_comment)) return lex_punctuator();
  Token token = start();
  ++pos_;
  token = finish(std::move(token), TokenKind::PredicateEnd);
  // The token counts as on the line of the character after it (d-language.md 10.2).
  for (size_t at = pos_; at < after; ++at) token.line += text_[at] == '\n';
  if (mode != LexMode::PredicateNested) return token;
  diagnostics_.error(Tag::D_SYNTAX, token.at(), "closing ) or ] expected in predicate before /");
  stop();
  token.kind = TokenKind::EndOfFile;
  return token;
}

// Returns the length of the word at pos_. Module names before a backquote may contain dots: libc.so.6``malloc.
size_t Lexer::word_length() const {
  constexpr size_t max_module_length = 128;
  size_t end = pos_;
  while (end < text_.size() && is_scoped_word_char(text_[end])) ++end;
  if (end >= text_.size() || text_[end] != '.') return end - pos_;
  size_t mark = end;
  while (mark < text_.size() && mark < end + max_module_length &&
         (is_scoped_word_char(text_[mark]) || text_[mark] == '.') && text_[mark] != '`')
    ++mark;
  if (mark >= text_.size() || text_[mark] != '`') return end - pos_;
  while (mark < text_.size() && is_scoped_word_char(text_[mark])) ++mark;
  return mark - pos_;
}

Token Lexer::lex_word(LexMode mode) {
  Token token = start();
  size_t length = process_word_length(text_.substr(pos_));
  if (length == 0) length = word_length();
  if (mode == LexMode::Member) {
    for (length = 0; is_scoped_word_char(peek(length)); ++length) {
    }
  }
  token.text = text_.substr(pos_, length);
  pos_ += length;
  TokenKind kind = mode == LexMode::Member ? TokenKind::Identifier : keyword_kind(token.text);
  return finish(std::move(token), kind);
}

Token Lexer::lex_aggregation() {
  Token token = start();
  size_t begin = ++pos_;
  if (is_letter(peek()) || peek() == '_')
    while (is_letter(peek()) || peek() == '_' || is_digit(peek())) ++pos_;
  token.text = pos_ == begin ? std::string("_") : std::string(text_.substr(begin, pos_ - begin));
  return finish(std::move(token), TokenKind::Aggregation);
}

// $1 $$1 $name $$name
Token Lexer::lex_macro() {
  Token token = start();
  ++pos_;
  if (peek() == '$' && (is_digit(peek(1)) || is_letter(peek(1)) || peek(1) == '_')) {
    token.as_text = true;
    ++pos_;
  }
  size_t begin = pos_;
  if (is_digit(peek())) {
    for (; is_digit(peek()); ++pos_)
      if (token.value < UINT32_MAX) token.value = token.value * 10 + static_cast<uint64_t>(peek() - '0');
    return finish(std::move(token), TokenKind::MacroArgument);
  }
  while (is_letter(peek()) || peek() == '_' || (pos_ > begin && is_digit(peek()))) ++pos_;
  token.text = text_.substr(begin, pos_ - begin);
  return finish(std::move(token), begin == pos_ ? TokenKind::Invalid : TokenKind::MacroVariable);
}

Token Lexer::lex_punctuator() {
  struct Row {
    std::string_view text;
    TokenKind kind;
  };
  static constexpr Row rows[] = {
#define DS_PUNCTUATOR(kind, text) {text, TokenKind::kind},
#include "frontend/syntax/token.def"
  };
  Token token = start();
  if (peek() == '.' && is_digit(peek(1)))
    return fail(token, Tag::D_SYNTAX, "floating-point constants are not permitted");
  for (const Row& row : rows) {
    if (text_.substr(pos_, row.text.size()) != row.text) continue;
    pos_ += row.text.size();
    return finish(std::move(token), row.kind);
  }
  // Takes a whole UTF-8 character, so that messages can show it.
  pos_ += std::max<size_t>(1, first_character(text_.substr(pos_)).length);
  return finish(std::move(token), TokenKind::Invalid);
}

}  // namespace dscope
