// TokenReader: reads the tokens of a unit for the grammar. It replaces macros, applies control lines and classifies
// words. It looks one token ahead and lexes that token only in peek(), so that the lexer's mode can change between
// tokens. The first error stops the lexer: from then on every token is EndOfFile, which ends all loops of the grammar.
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
  // max_levels: the deepest nesting of constructs.
  TokenReader(uint32_t max_levels, const SourceUnit& source, const ParseContext& context, const ParseOptions& options,
              Diagnostics& diagnostics, KnownNames& names, MacroExpander& macros, ControlLines& control_lines);

  // --- tokens
  const Token& peek();
  Token take();
  bool at(TokenKind kind) { return peek().kind == kind; }
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  // Reads the word after `.`, `->` or in offsetof, where keywords are plain names.
  Token expect_member_name();
  // Queues the second token of a macro's replacement, such as the 5 of -5.
  void push_pending(Token token) { pending_ = std::move(token); }
  Lexer& lexer() { return lexer_; }

  // --- modes
  LexMode mode() const;
  void enter(LexMode mode) { mode_ = mode; }
  // Ends a top-level construct.
  void leave_to_outer();
  // From here to the end of the top-level construct, look-ahead may decide that a word is an identifier, and the word
  // stays one (d-language.md 1.2, step 6).
  void start_expressions() { in_expressions_ = true; }
  bool exchange_declarator_brackets(bool in_brackets) { return std::exchange(in_declarator_brackets_, in_brackets); }

  // --- names
  // Whether `token`, the last lexed token, names a type where both a type and an expression are allowed.
  bool names_type(const Token& token);
  // Reports a scoping operator in a declared name.
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
  // The position of the construct that began at `begin` and ended with the last token taken, on that token's line.
  Position position_since(uint32_t begin) const;
  // The position of the same construct, on the line of the token that follows.
  Position position_before_next(uint32_t begin);

 private:
  friend class Nesting;

  Token lex();
  void stop();
  bool is_identifier_by_look_ahead() const;
  void classify_identifier(Token& token);
  Token classify_outer_word(Token word);
  Token split_process_type(Token word, size_t length);
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
