// Postfix expressions and operands (d-language.md 4.1, levels 15 and above).
#include "frontend/syntax/parser_impl.h"

namespace dscope {

// postfix = primary { "[" arguments "]" | "(" [ arguments ] ")" | "." name | "->" name | "++" | "--" } ;
Expr* Parser::parse_postfix(Expr* base) {
  for (;;) {
    Expr* longer = parse_postfix_step(base);
    if (longer == base || failed_) return longer;
    base = longer;
  }
}

Expr* Parser::parse_postfix_step(Expr* base) {
  uint32_t begin = base->at.range.begin;
  switch (peek().kind) {
    case TokenKind::LeftBracket: {
      take();
      std::vector<Expr*> arguments = parse_arguments();
      expect(TokenKind::RightBracket);
      return make_expr(place_since(begin), Index{base, std::move(arguments)});
    }
    case TokenKind::LeftParen: {
      take();
      std::vector<Expr*> arguments;
      if (!at(TokenKind::RightParen)) arguments = parse_arguments();
      expect(TokenKind::RightParen);
      Position at = place_since(begin);
      at.line = base->at.line;  // a call is where its name is
      return make_expr(at, Call{base, std::move(arguments)});
    }
    case TokenKind::Dot:
    case TokenKind::Arrow: return parse_member(base);
    case TokenKind::Increment: take(); return make_expr(place_since(begin), Unary{UnaryOp::PostIncrement, base});
    case TokenKind::Decrement: take(); return make_expr(place_since(begin), Unary{UnaryOp::PostDecrement, base});
    default: return base;
  }
}

// arguments = assignment { "," assignment } ;
std::vector<Expr*> Parser::parse_arguments() {
  std::vector<Expr*> arguments;
  do {
    arguments.push_back(parse_assignment());
  } while (accept(TokenKind::Comma));
  return arguments;
}

Expr* Parser::parse_member(Expr* base) {
  bool is_arrow = take().kind == TokenKind::Arrow;
  Token name = expect_member_name();
  return make_expr(place_since(base->at.range.begin), Member{base, name.text, is_arrow});
}

// primary = identifier | aggregation | constant | self | this | offsetof | xlate ;
Expr* Parser::parse_primary() {
  switch (peek().kind) {
    case TokenKind::Identifier: return parse_word();
    case TokenKind::KeySelf: return parse_scoped_variable(VariableScope::Self);
    case TokenKind::KeyThis: return parse_scoped_variable(VariableScope::This);
    case TokenKind::KeyOffsetof: return parse_offsetof();
    case TokenKind::KeyXlate: return parse_xlate();
    case TokenKind::Integer: {
      Token token = take();
      return make_expr(token.at(), IntLiteral{token.value, token.int_type});
    }
    case TokenKind::String: {
      Token token = take();
      return make_expr(token.at(), StringLiteral{std::move(token.text)});
    }
    case TokenKind::Aggregation: {
      Token token = take();
      return make_expr(token.at(), AggregationRef{std::move(token.text)});
    }
    default: syntax_error(peek()); return make_expr(peek().at(), IntLiteral{});
  }
}

// self->x, this->x. The prefix alone is a name that the checker refuses.
Expr* Parser::parse_scoped_variable(VariableScope scope) {
  Token prefix = take();
  if (!accept(TokenKind::Arrow)) return make_expr(prefix.at(), Name{scope, {}});
  Token name = expect_member_name();
  return make_expr(place_since(prefix.range.begin), Name{scope, name.text});
}

// x, or a symbol: `sym mod`sym ``sym obj``sym (d-language.md 1.3).
Expr* Parser::parse_word() {
  Token token = take();
  size_t mark = token.text.find('`');
  if (mark == std::string::npos) return make_expr(token.at(), Name{VariableScope::Global, token.text});
  SymbolRef symbol;
  symbol.object = token.text.substr(0, mark);
  symbol.is_user = token.text.compare(mark, 2, "``") == 0;
  symbol.name = token.text.substr(mark + (symbol.is_user ? 2 : 1));
  if (symbol.name.empty() || is_scoped(symbol.name)) syntax_error(token);
  return make_expr(token.at(), std::move(symbol));
}

// "offsetof" "(" type-name "," IDENT ")" ;
Expr* Parser::parse_offsetof() {
  uint32_t begin = take().range.begin;
  expect(TokenKind::LeftParen);
  TypeName* type = parse_type_name();
  expect(TokenKind::Comma);
  Token member = expect_member_name();
  expect(TokenKind::RightParen);
  return make_expr(place_since(begin), Offsetof{type, member.text});
}

// "xlate" "<" type-name ">" "(" expression ")" ;
Expr* Parser::parse_xlate() {
  uint32_t begin = take().range.begin;
  expect(TokenKind::Less);
  TypeName* type = parse_type_name();
  expect(TokenKind::Greater);
  expect(TokenKind::LeftParen);
  Expr* operand = parse_expression();
  expect(TokenKind::RightParen);
  return make_expr(place_since(begin), Xlate{type, operand});
}

}  // namespace dscope
