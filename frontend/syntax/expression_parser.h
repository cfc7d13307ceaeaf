// ExpressionParser: expressions, from the comma operator down to operands (d-language.md 4.1).
#pragma once

#include <optional>
#include <vector>

#include "frontend/syntax/grammar_part.h"

namespace dscope {

class SpecifierParser;
class DeclaratorParser;

class ExpressionParser : private GrammarPart {
 public:
  ExpressionParser(const GrammarContext& context, SpecifierParser& specifiers, DeclaratorParser& declarators)
      : GrammarPart(context),
        specifiers_(specifiers),
        declarators_(declarators),
        first_node_(context.program.node_count) {}

  // Between these calls the nodes are those of one clause, whose number is limited: the compiler's time grows with it,
  // and the verifier would reject the clause.
  void begin_clause() { clause_node_ = program_.node_count; }
  void end_clause() { clause_node_.reset(); }

  Expr* parse_expression();
  Expr* parse_assignment();
  Expr* parse_conditional();

 private:
  Expr* parse_binary(int min_level);
  Expr* parse_cast();
  Expr* parse_prefix(UnaryOp op);
  Expr* parse_cast_or_parenthesized();
  Expr* parse_sizeof();
  Expr* parse_stringof();
  Expr* finish_parenthesized(const Token& open);
  Expr* parse_postfix(Expr* base);
  Expr* parse_postfix_step(Expr* base);
  Expr* parse_member(Expr* base);
  Expr* parse_primary();
  Expr* parse_scoped_variable(VariableScope scope);
  Expr* parse_word();
  Expr* parse_offsetof();
  Expr* parse_xlate();
  std::vector<Expr*> parse_arguments();
  Expr* make_expr(const Position& at, decltype(Expr::form) form);
  uint32_t height(const Expr& expr) const { return heights_[expr.id.index - first_node_]; }

  SpecifierParser& specifiers_;
  DeclaratorParser& declarators_;
  const uint32_t first_node_;            // the unit's first node
  std::vector<uint32_t> heights_;        // the heights of the unit's expression trees, by node
  std::optional<uint32_t> clause_node_;  // the first node of the current clause
};

}  // namespace dscope
