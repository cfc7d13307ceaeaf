// Tokens: what the lexer gives to the parser. The rows are in token.def.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/syntax/ast.h"

namespace dscope {

enum class TokenKind : uint8_t {
#define DS_TOKEN(kind, shown) kind,
#define DS_PUNCTUATOR(kind, text) kind,
#define DS_KEYWORD(kind, word) kind,
#include "frontend/syntax/token.def"
};

// Where the parser stands: decides which tokens there are.
enum class LexMode : uint8_t {
  Outer,            // at the start of a top-level construct: specifier words
  Inner,            // the full C-like token set
  Predicate,        // Inner, where `/` may end the predicate and so `//` is no comment
  PredicateNested,  // Inner, within parentheses of a predicate
  Member,           // after `.` and `->`: keywords are plain names
  ControlScan,      // looking for control lines only: everything else is skipped
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  LexMode mode = LexMode::Outer;  // it was read in
  SourceRange range;
  uint32_t line = 1;  // of its last character, after #line mapping
  uint32_t file = 0;  // as Position::file
  // Identifier, OuterWord, ProbeWord: the word. String: bytes. Aggregation: name. ControlLine: all behind the `#`.
  // MacroVariable: the name behind `$`.
  std::string text;
  uint64_t value = 0;  // Integer; MacroArgument: which one
  IntLiteralType int_type = IntLiteralType::Int;
  bool as_text = false;        // $$1, $$name
  bool by_look_ahead = false;  // an identifier the program has not shown before: d-language.md 10.2, bad tokens

  Position at() const { return {.range = range, .line = line, .file = file}; }
};

// "end of input", "==", "int": for dumps and tests.
std::string_view to_string(TokenKind kind);
std::string_view to_string(LexMode mode);
// A line for --dump=tokens: line, mode, kind, text as written, and what a macro stands for.
std::string dump_token(const Token& token, std::string_view text);
// The keyword `word` is in INNER text, or Identifier.
TokenKind keyword_kind(std::string_view word);
// The same for the start of a top-level construct, where fewer words are keywords.
TokenKind outer_keyword_kind(std::string_view word);

}  // namespace dscope
