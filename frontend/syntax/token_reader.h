// TokenReader: the tokens of a unit as the grammar sees them: macros replaced, control lines obeyed, words classified.
// One token of look-ahead, lexed only when it is looked at, so that the lexer's mode can change between tokens. The
// first error stops the lexer: from then on every token is EndOfFile, which ends all loops of the grammar.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "frontend/syntax/lexer.h"
#include "frontend/syntax/parser.h"

namespace dscope {

class ControlLines;
class KnownNames;
class MacroExpander;

class TokenReader {
 public:
  // max_levels: how deep constructs may nest.
  TokenReader(uint32_t max_levels, const SourceUnit& source, const ParseContext& context, const ParseOptions& options,
              Diagnostics& diagnostics, KnownNames& names, MacroExpander& macros, ControlLines& control_lines);

  // --- tokens
  const Token& peek();
  Token take();
  bool at(TokenKind kind) { return peek().kind == kind; }
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  // The word after `.`, `->` or in offsetof, where keywords are plain names.
  Token expect_member_name();
  // The token after `macro`'s replacement, the second of a replacement such as -5.
  void push_pending(Token token) { pending_ = std::move(token); }
  Lexer& lexer() { return lexer_; }

  // --- modes
  LexMode mode() const;
  void enter(LexMode mode) { mode_ = mode; }
  // A top-level construct has ended.
  void leave_to_outer();
  // From here to the end of the top-level construct, look-ahead may decide that a word is an identifier, and the word
  // stays one (d-language.md 1.2, step 6).
  void start_expressions() { in_expressions_ = true; }
  bool exchange_declarator_brackets(bool in_brackets) { return std::exchange(in_declarator_brackets_, in_brackets); }

  // --- names
  // Whether `token`, the one lexed last, names a type where either a type or an expression may stand.
  bool names_type(const Token& token);
  // Reports a scoping mark in a name that is being declared.
  void reject_scoped(const Token& name);

  // --- errors
  bool failed() const { return failed_; }
  void syntax_error(const Token& near);
  void report_nesting();
  template <typename... Args>
  void error(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    diagnostics_.error(tag, at, text, std::forward<Args>(args)...);
    stop();
  }
  // The EndOfFile token that follows an error.
  const Token& end_token() const { return *peeked_; }

  // --- positions
  // The construct that began at `begin` and ended with the last token taken, on that token's line.
  Position position_since(uint32_t begin) const;
  // The same, on the line of the token that follows.
  Position position_before_next(uint32_t begin);

 private:
  friend class Nesting;

  Token lex();
  void stop();
  bool look_ahead_says_identifier() const;
  void classify_identifier(Token& token);
  Token classify_outer_word(Token word);
  Token process_type_word(Token word, size_t length);
  std::string_view type_prefix(std::string_view word);

  const uint32_t max_levels_;
  const SourceUnit& source_;
  const ParseContext& context_;
  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  KnownNames& names_;
  MacroExpander& macros_;
  ControlLines& control_lines_;
  Lexer lexer_;

  LexMode mode_ = LexMode::Outer;
  std::optional<Token> peeked_;
  std::optional<Token> pending_;
  Position last_;  // of the last token taken
  TokenKind last_kind_ = TokenKind::EndOfFile;
  uint32_t parens_ = 0, brackets_ = 0;  // open ones
  bool in_declarator_brackets_ = false;
  bool in_expressions_ = false;
  bool failed_ = false;
  uint32_t depth_ = 0;
};

// Counts one level of nesting for as long as it lives.
class Nesting {
 public:
  explicit Nesting(TokenReader& tokens);
  ~Nesting() { --tokens_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  TokenReader& tokens_;
};

}  // namespace dscope
