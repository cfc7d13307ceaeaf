// Expressions from the comma operator down to unary operators (d-language.md 4.1); operands are in parse_primary.cpp.
#include "frontend/syntax/children.h"
#include "frontend/syntax/parser_impl.h"
#include "support/check.h"

namespace dscope {

namespace {

struct BinaryRow {
  BinaryOp op{};
  int level = 0;
};

std::optional<BinaryRow> binary_operator(TokenKind kind) {
  switch (kind) {
#define DS_BINARY_OPERATOR(token, op, level) \
  case TokenKind::token: return BinaryRow{BinaryOp::op, level};
#include "frontend/syntax/token.def"
    default: return std::nullopt;
  }
}

// Whether `kind` assigns; `op` is then the operator it applies first, if any.
bool is_assignment(TokenKind kind, std::optional<BinaryOp>& op) {
  switch (kind) {
    case TokenKind::Assign: return true;
#define DS_ASSIGN_OPERATOR(token, op_name) \
  case TokenKind::token: op = BinaryOp::op_name; return true;
#include "frontend/syntax/token.def"
    default: return false;
  }
}

// What the grammar calls a unary expression: the only thing that may stand left of an assignment.
bool is_unary_expression(const Expr& expr) {
  return expr.parenthesised ||
         !(std::holds_alternative<Binary>(expr.form) || std::holds_alternative<Ternary>(expr.form) ||
           std::holds_alternative<Assign>(expr.form) || std::holds_alternative<Comma>(expr.form) ||
           std::holds_alternative<Cast>(expr.form));
}

}  // namespace

// Long chains such as 1+1+1+... nest no calls here, but make a tree as high as they are long.
Expr* Parser::make_expr(const Position& at, decltype(Expr::form) form) {
  uint32_t tallest = 0;
  for_each_child(form, [&](const Expr* child) { tallest = std::max(tallest, height(*child)); });
  program_.exprs.push_back({.id = {program_.node_count++}, .at = at, .form = std::move(form)});
  heights_.push_back(tallest + 1);
  if (tallest >= program_.max_levels) too_deep();
  return &program_.exprs.back();
}

// expression = assignment { "," assignment } ;
Expr* Parser::parse_expression() {
  Expr* lhs = parse_assignment();
  while (accept(TokenKind::Comma)) {
    Expr* rhs = parse_assignment();
    lhs = make_expr(place_before_next(lhs->at.range.begin), Comma{lhs, rhs});
  }
  return lhs;
}

// assignment = conditional | unary assignment-operator assignment ;
Expr* Parser::parse_assignment() {
  Nesting nesting(*this);
  Expr* lhs = parse_conditional();
  std::optional<BinaryOp> op;
  if (!is_assignment(peek().kind, op)) return lhs;
  if (!is_unary_expression(*lhs)) syntax_error(peek());
  take();
  Expr* rhs = parse_assignment();
  return make_expr(place_before_next(lhs->at.range.begin), Assign{op, lhs, rhs});
}

// conditional = binary [ "?" expression ":" conditional ] ; in libraries instead of binary: binary { "?" "?" binary }
Expr* Parser::parse_conditional() {
  Nesting nesting(*this);
  Expr* condition = parse_binary(0);
  if (!accept(TokenKind::Question)) return condition;
  while (source_.kind == UnitKind::Library && accept(TokenKind::Question)) {
    Expr* second = parse_binary(0);
    condition = make_expr(place_before_next(condition->at.range.begin), Alternative{condition, second});
    if (!accept(TokenKind::Question)) return condition;
  }
  Expr* then_value = parse_expression();
  expect(TokenKind::Colon);
  Expr* else_value = parse_conditional();
  return make_expr(place_before_next(condition->at.range.begin), Ternary{condition, then_value, else_value});
}

// Precedence climbing; every binary operator associates to the left.
Expr* Parser::parse_binary(int min_level) {
  Expr* lhs = parse_cast();
  for (;;) {
    std::optional<BinaryRow> row = binary_operator(peek().kind);
    if (!row || row->level < min_level || failed_) return lhs;
    take();
    Expr* rhs = parse_binary(row->level + 1);
    lhs = make_expr(place_before_next(lhs->at.range.begin), Binary{row->op, lhs, rhs});
  }
}

// cast = "(" type-name ")" cast | unary ;   unary = unary-operator cast | sizeof ... | stringof unary | postfix ;
Expr* Parser::parse_cast() {
  Nesting nesting(*this);
  switch (peek().kind) {
    case TokenKind::LeftParen: return parse_cast_or_parenthesised();
    case TokenKind::Increment: return parse_prefix(UnaryOp::PreIncrement);
    case TokenKind::Decrement: return parse_prefix(UnaryOp::PreDecrement);
    case TokenKind::Ampersand: return parse_prefix(UnaryOp::AddressOf);
    case TokenKind::Star: return parse_prefix(UnaryOp::Deref);
    case TokenKind::Plus: return parse_prefix(UnaryOp::Plus);
    case TokenKind::Minus: return parse_prefix(UnaryOp::Minus);
    case TokenKind::Tilde: return parse_prefix(UnaryOp::BitNot);
    case TokenKind::Not: return parse_prefix(UnaryOp::Not);
    case TokenKind::KeySizeof: return parse_sizeof();
    case TokenKind::KeyStringof: return parse_stringof();
    default: return parse_postfix(parse_primary());
  }
}

Expr* Parser::parse_prefix(UnaryOp op) {
  uint32_t begin = take().range.begin;
  Expr* operand = parse_cast();
  return make_expr(place_before_next(begin), Unary{op, operand});
}

Expr* Parser::parse_cast_or_parenthesised() {
  Token open = take();
  if (!at_cast_type()) return parse_postfix(finish_parenthesised(open));
  TypeName* type = parse_type_name();
  expect(TokenKind::RightParen);
  Expr* operand = parse_cast();
  return make_expr(place_before_next(open.range.begin), Cast{type, operand});
}

// The rest of "(" expression ")".
Expr* Parser::finish_parenthesised(const Token& open) {
  Expr* expr = parse_expression();
  expect(TokenKind::RightParen);
  expr->parenthesised = true;
  expr->at.range = place_since(open.range.begin).range;
  return expr;
}

// sizeof = "sizeof" ( "(" type-name ")" | unary ) ;
Expr* Parser::parse_sizeof() {
  uint32_t begin = take().range.begin;
  if (!at(TokenKind::LeftParen)) {
    Expr* operand = parse_cast();
    return make_expr(place_before_next(begin), SizeofExpr{operand});
  }
  Token open = take();
  if (at_cast_type()) {
    TypeName* type = parse_type_name();
    expect(TokenKind::RightParen);
    return make_expr(place_since(begin), SizeofType{type});
  }
  Expr* operand = parse_postfix(finish_parenthesised(open));
  return make_expr(place_before_next(begin), SizeofExpr{operand});
}

Expr* Parser::parse_stringof() {
  uint32_t begin = take().range.begin;
  Expr* operand = parse_cast();
  return make_expr(place_before_next(begin), Stringof{operand});
}

}  // namespace dscope
