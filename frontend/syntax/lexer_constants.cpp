// The lexer's integer, character and string constants.
#include "frontend/syntax/lexer.h"
#include "frontend/syntax/literal.h"
#include "support/format.h"

namespace dscope {

Token Lexer::lex_number() {
  Token token = start();
  size_t length = word_length();
  if (text_.substr(pos_, length).find('`') != std::string_view::npos) return lex_word(LexMode::Inner);
  size_t digits = 0;
  while (is_digit(peek(digits))) ++digits;
  bool exponent = (peek(digits) == 'e' || peek(digits) == 'E') &&
                  (is_digit(peek(digits + 1)) ||
                   ((peek(digits + 1) == '+' || peek(digits + 1) == '-') && is_digit(peek(digits + 2))));
  if (exponent || (peek(digits) == '.' && is_digit(peek(digits + 1)))) {
    pos_ += digits;
    return fail(token, Tag::D_SYNTAX, "floating-point constants are not permitted");
  }
  IntegerText integer = scan_integer(text_.substr(pos_));
  std::string_view spelled = text_.substr(pos_, integer.length);
  pos_ += integer.length;
  switch (integer.error) {
    case IntegerError::BadDigit:
      return fail(token, Tag::D_INT_DIGIT, fmt::format("invalid digit in integer constant {}", spelled));
    case IntegerError::Overflow:
      return fail(token, Tag::D_INT_OFLOW, fmt::format("integer constant {} is too large for its type", spelled));
    case IntegerError::None: break;
  }
  token.value = integer.value;
  token.int_type = integer.type;
  return finish(std::move(token), TokenKind::Integer);
}

// Lexes "..." and '...'. It consumes a newline before it reports it, so the error shows the next line.
Token Lexer::lex_quoted(char quote) {
  Token token = start();
  bool is_string = quote == '"';
  size_t begin = ++pos_;
  while (!at_end() && peek() != quote) {
    if (peek() == '\n') {
      begin_line();
      return fail(token, is_string ? Tag::D_STR_NL : Tag::D_CHR_NL,
                  fmt::format("newline in {} constant", is_string ? "string" : "character"));
    }
    bool is_escape = peek() == '\\' && pos_ + 1 < text_.size() && peek(1) != '\n';
    pos_ += is_escape ? 2 : 1;
  }
  if (at_end())
    return fail(token, Tag::D_SYNTAX,
                fmt::format("end of input encountered inside a {} constant", is_string ? "string" : "character"));
  std::string_view body = text_.substr(begin, pos_ - begin);
  ++pos_;
  return is_string ? finish_string(std::move(token), body) : finish_character(std::move(token), body);
}

Token Lexer::finish_string(Token token, std::string_view body) {
  token.text = process_escapes(body);
  return finish(std::move(token), TokenKind::String);
}

Token Lexer::finish_character(Token token, std::string_view body) {
  std::string bytes = process_escapes(body);
  if (bytes.empty()) return fail(token, Tag::D_CHR_NULL, "empty character constant");
  if (bytes.size() > sizeof(token.value))
    return fail(token, Tag::D_CHR_OFLOW, "character constant is longer than 8 bytes");
  for (char c : bytes) token.value = token.value << 8 | static_cast<unsigned char>(c);
  if (!choose_integer_type(token.value, Radix::Decimal, false, 0, token.int_type))
    return fail(token, Tag::D_INT_OFLOW, fmt::format("character constant '{}' is too large for its type", body));
  return finish(std::move(token), TokenKind::Integer);
}

}  // namespace dscope
