// StatementParser: parses the statements of an action list, including if/else (d-language.md 2.6).
#pragma once

#include <optional>

#include "frontend/syntax/grammar_part.h"

namespace dscope {

class ExpressionParser;

class StatementParser : private GrammarPart {
 public:
  StatementParser(const GrammarContext& context, ExpressionParser& expressions)
      : GrammarPart(context), expressions_(expressions) {}

  std::vector<Statement*> parse_statements();

 private:
  // Appends the statement, or the branch that options of the script choose.
  void parse_if(std::vector<Statement*>& statements);
  std::vector<Statement*> parse_branch();
  Statement* parse_expression_statement();

  ExpressionParser& expressions_;
};

}  // namespace dscope
