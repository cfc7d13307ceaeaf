// Tokens: the lexer's output and the parser's input. The rows are in token.def.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/syntax/ast_expressions.h"

namespace dscope {

enum class TokenKind : uint8_t {
#define DS_TOKEN(kind, shown) kind,
#define DS_PUNCTUATOR(kind, text) kind,
#define DS_KEYWORD(kind, word) kind,
#include "frontend/syntax/token.def"
};

// The parser's position in the grammar, which selects the set of tokens.
enum class LexMode : uint8_t {
  Outer,            // at the start of a top-level construct: specifier words
  Inner,            // the full C-like token set
  Predicate,        // as Inner, but `/` may end the predicate, so `//` starts no comment
  PredicateNested,  // as Inner, within parentheses of a predicate
  Member,           // after `.` and `->`: keywords are plain names
  ControlScan,      // control lines only: the lexer skips everything else
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  LexMode mode = LexMode::Outer;  // the mode in which the token was lexed
  SourceRange range;
  uint32_t line = 1;  // the line of its last character, after #line mapping
  uint32_t file = 0;  // as Position::file
  // Identifier, OuterWord, ProbeWord: the word. String: the bytes. Aggregation: the name. ControlLine: the text after
  // the `#`. MacroVariable: the name after the `$`.
  std::string text;
  uint64_t value = 0;  // Integer: the value; MacroArgument: the index
  IntLiteralType int_type = IntLiteralType::Int;
  bool as_text = false;        // $$1, $$name
  bool is_macro = false;       // Integer, String: replaces a macro
  bool is_option = false;      // Integer, String: replaces an option of `#pragma D arg`
  bool by_look_ahead = false;  // an identifier that is new to the program: d-language.md 10.2, bad tokens

  Position at() const { return {.range = range, .line = line, .file = file}; }
};

// "end of input", "==", "int": for dumps and tests.
std::string_view to_string(TokenKind kind);
std::string_view to_string(LexMode mode);
// Returns a line for --dump=tokens: line, mode, kind, text as written, and the value of a macro.
std::string dump_token(const Token& token, std::string_view text);
// Returns the keyword that `word` is in INNER text, or Identifier.
TokenKind keyword_kind(std::string_view word);
// Returns the keyword that `word` is at the start of a top-level construct, where fewer words are keywords.
TokenKind outer_keyword_kind(std::string_view word);

}  // namespace dscope
