#include "frontend/syntax/statement_parser.h"

#include "frontend/syntax/decided_condition.h"
#include "frontend/syntax/expression_parser.h"

namespace dscope {

// { statement ";" } up to the closing brace, which the caller reads. Semicolons separate statements: several in a row
// are allowed, and none is needed before the brace or after an if.
std::vector<Statement*> StatementParser::parse_statements() {
  std::vector<Statement*> statements;
  while (!at(TokenKind::RightBrace) && !at(TokenKind::EndOfFile)) {
    if (accept(TokenKind::Semicolon)) continue;
    if (at(TokenKind::KeyIf)) {
      parse_if(statements);
      continue;
    }
    statements.push_back(parse_expression_statement());
    if (!at(TokenKind::RightBrace)) expect(TokenKind::Semicolon);
  }
  return statements;
}

Statement* StatementParser::parse_expression_statement() {
  uint32_t begin = peek().range.begin;
  Expr* expr = expressions_.parse_expression();
  program_.statements.push_back({.at = position_before_next(begin), .form = ExprStatement{expr}});
  return &program_.statements.back();
}

// "if" "(" expression ")" branch [ "else" branch ] ;
// If the options of the script decide the condition, only the branch that runs is part of the program: the other one
// has no columns.
void StatementParser::parse_if(std::vector<Statement*>& statements) {
  Nesting nesting(tokens_);
  uint32_t begin = peek().range.begin;
  expect(TokenKind::KeyIf);
  IfStatement form;
  expect(TokenKind::LeftParen);
  form.condition = expressions_.parse_expression();
  if (failed()) return;
  expect(TokenKind::RightParen);
  form.then_body = parse_branch();
  if (accept(TokenKind::KeyElse)) form.else_body = parse_branch();
  if (failed()) return;
  if (auto condition = decided_condition(*form.condition)) {
    const std::vector<Statement*>& body = *condition ? form.then_body : form.else_body;
    statements.insert(statements.end(), body.begin(), body.end());
    return;
  }
  program_.statements.push_back({.at = position_since(begin), .form = std::move(form)});
  statements.push_back(&program_.statements.back());
}

// branch = ";" | expression ";" | if-statement | "{" statements "}" ;
std::vector<Statement*> StatementParser::parse_branch() {
  std::vector<Statement*> body;
  if (accept(TokenKind::LeftBrace)) {
    body = parse_statements();
    expect(TokenKind::RightBrace);
  } else if (at(TokenKind::KeyIf)) {
    parse_if(body);
  } else if (!accept(TokenKind::Semicolon)) {
    body.push_back(parse_expression_statement());
    if (!at(TokenKind::RightBrace)) expect(TokenKind::Semicolon);
  }
  return body;
}

}  // namespace dscope
