// GrammarPart: the base of the parser classes, with short names for the functions of TokenReader. Each parser class has
// one function per production of d-language.md 2, named after it. These functions return nodes, never null.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/known_names.h"
#include "frontend/syntax/token_reader.h"

namespace dscope {

// The state that all productions of a unit share.
struct GrammarContext {
  Program& program;  // receives the nodes
  const SourceUnit& source;
  Diagnostics& diagnostics;
  TokenReader& tokens;
  KnownNames& names;
};

class GrammarPart {
 protected:
  explicit GrammarPart(const GrammarContext& context)
      : program_(context.program),
        source_(context.source),
        diagnostics_(context.diagnostics),
        tokens_(context.tokens),
        names_(context.names) {}

  const Token& peek() { return tokens_.peek(); }
  Token take() { return tokens_.take(); }
  bool at(TokenKind kind) { return tokens_.at(kind); }
  bool accept(TokenKind kind) { return tokens_.accept(kind); }
  Token expect(TokenKind kind) { return tokens_.expect(kind); }
  Token expect_member_name() { return tokens_.expect_member_name(); }
  void enter(LexMode mode) { tokens_.enter(mode); }

  bool failed() const { return tokens_.failed(); }
  void syntax_error(const Token& near) { tokens_.syntax_error(near); }
  void report_nesting() { tokens_.report_nesting(); }
  template <typename... Args>
  void error(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    tokens_.error(tag, at, text, std::forward<Args>(args)...);
  }

  Position position_since(uint32_t begin) const { return tokens_.position_since(begin); }
  Position position_before_next(uint32_t begin) { return tokens_.position_before_next(begin); }

  Program& program_;
  const SourceUnit& source_;
  Diagnostics& diagnostics_;
  TokenReader& tokens_;
  KnownNames& names_;
};

}  // namespace dscope
