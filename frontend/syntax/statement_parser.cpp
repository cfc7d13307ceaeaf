#include "frontend/syntax/statement_parser.h"

#include "frontend/syntax/expression_parser.h"

namespace dscope {

// { statement ";" } up to the closing brace, which the caller reads. Semicolons separate statements: several in a row
// are allowed, and none is needed before the brace or after an if.
std::vector<Statement*> StatementParser::parse_statements() {
  std::vector<Statement*> statements;
  while (!at(TokenKind::RightBrace) && !at(TokenKind::EndOfFile)) {
    if (accept(TokenKind::Semicolon)) continue;
    if (at(TokenKind::KeyIf)) {
      statements.push_back(parse_if());
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
Statement* StatementParser::parse_if() {
  Nesting nesting(tokens_);
  uint32_t begin = peek().range.begin;
  expect(TokenKind::KeyIf);
  IfStatement form;
  expect(TokenKind::LeftParen);
  form.condition = expressions_.parse_expression();
  expect(TokenKind::RightParen);
  form.then_body = parse_branch();
  if (accept(TokenKind::KeyElse)) form.else_body = parse_branch();
  program_.statements.push_back({.at = position_since(begin), .form = std::move(form)});
  return &program_.statements.back();
}

// branch = ";" | expression ";" | if-statement | "{" statements "}" ;
std::vector<Statement*> StatementParser::parse_branch() {
  std::vector<Statement*> body;
  if (accept(TokenKind::LeftBrace)) {
    body = parse_statements();
    expect(TokenKind::RightBrace);
  } else if (at(TokenKind::KeyIf)) {
    body.push_back(parse_if());
  } else if (!accept(TokenKind::Semicolon)) {
    body.push_back(parse_expression_statement());
    if (!at(TokenKind::RightBrace)) expect(TokenKind::Semicolon);
  }
  return body;
}

}  // namespace dscope
