#include "frontend/syntax/expression_parser.h"

#include "frontend/syntax/children.h"
#include "frontend/syntax/decided_condition.h"
#include "frontend/syntax/declarator_parser.h"
#include "frontend/syntax/specifier_parser.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t max_clause_nodes = 65'536, max_program_nodes = 1'000'000;

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

// Whether `kind` is an assignment operator. Sets `op` to the operator of a compound assignment.
bool is_assignment(TokenKind kind, std::optional<BinaryOp>& op) {
  switch (kind) {
    case TokenKind::Assign: return true;
#define DS_ASSIGN_OPERATOR(token, op_name) \
  case TokenKind::token: op = BinaryOp::op_name; return true;
#include "frontend/syntax/token.def"
    default: return false;
  }
}

// Whether the grammar calls `expr` a unary expression. Only unary expressions can stand left of an assignment.
bool is_unary_expression(const Expr& expr) {
  return expr.is_parenthesized ||
         !(std::holds_alternative<Binary>(expr.form) || std::holds_alternative<Ternary>(expr.form) ||
           std::holds_alternative<Assign>(expr.form) || std::holds_alternative<Comma>(expr.form) ||
           std::holds_alternative<Cast>(expr.form));
}

}  // namespace

// Limits the height of the tree: parsing a chain such as 1+1+1+... does not recurse, but later walks over its tree do.
Expr* ExpressionParser::make_expr(const Position& at, decltype(Expr::form) form) {
  uint32_t tallest = 0;
  for_each_child(form, [&](const Expr* child) { tallest = std::max(tallest, height(*child)); });
  program_.exprs.push_back({.id = {program_.node_count++}, .at = at, .form = std::move(form)});
  heights_.push_back(tallest + 1);
  if (tallest >= program_.max_levels) report_nesting();
  if (clause_node_ && program_.node_count - *clause_node_ > max_clause_nodes && !failed())
    error(Tag::D_SYNTAX, at, "clause is too large: more than {} subexpressions", max_clause_nodes);
  if (program_.node_count > max_program_nodes && !failed())
    error(Tag::D_SYNTAX, at, "program is too large: more than {} subexpressions", max_program_nodes);
  return &program_.exprs.back();
}

// expression = assignment { "," assignment } ;
Expr* ExpressionParser::parse_expression() {
  Expr* lhs = parse_assignment();
  while (accept(TokenKind::Comma)) {
    Expr* rhs = parse_assignment();
    lhs = make_expr(position_before_next(lhs->at.range.begin), Comma{lhs, rhs});
  }
  return lhs;
}

// assignment = conditional | unary assignment-operator assignment ;
Expr* ExpressionParser::parse_assignment() {
  Nesting nesting(tokens_);
  Expr* lhs = parse_conditional();
  std::optional<BinaryOp> op;
  if (!is_assignment(peek().kind, op)) return lhs;
  if (!is_unary_expression(*lhs)) syntax_error(peek());
  take();
  Expr* rhs = parse_assignment();
  return make_expr(position_before_next(lhs->at.range.begin), Assign{op, lhs, rhs});
}

// conditional = binary [ "?" expression ":" conditional ] ;   libraries allow binary { "?" "?" binary } for binary
Expr* ExpressionParser::parse_conditional() {
  Nesting nesting(tokens_);
  Expr* condition = parse_binary(0);
  if (!accept(TokenKind::Question)) return condition;
  while (source_.kind == UnitKind::Library && accept(TokenKind::Question)) {
    Expr* second = parse_binary(0);
    condition = make_expr(position_before_next(condition->at.range.begin), Alternative{condition, second});
    if (!accept(TokenKind::Question)) return condition;
  }
  Expr* then_value = parse_expression();
  expect(TokenKind::Colon);
  Expr* else_value = parse_conditional();
  // The value that the options do not choose is no part of the program.
  if (auto condition_value = decided_condition(*condition)) return *condition_value ? then_value : else_value;
  return make_expr(position_before_next(condition->at.range.begin), Ternary{condition, then_value, else_value});
}

// Precedence climbing; every binary operator associates to the left.
Expr* ExpressionParser::parse_binary(int min_level) {
  Expr* lhs = parse_cast();
  for (;;) {
    std::optional<BinaryRow> row = binary_operator(peek().kind);
    if (!row || row->level < min_level || failed()) return lhs;
    take();
    Expr* rhs = parse_binary(row->level + 1);
    lhs = make_expr(position_before_next(lhs->at.range.begin), Binary{row->op, lhs, rhs});
    if (auto value = decided_condition(*lhs)) lhs->form = IntLiteral{.value = *value ? 1U : 0U, .is_option = true};
  }
}

// cast = "(" type-name ")" cast | unary ;   unary = unary-operator cast | sizeof ... | stringof unary | postfix ;
Expr* ExpressionParser::parse_cast() {
  Nesting nesting(tokens_);
  switch (peek().kind) {
    case TokenKind::LeftParen: return parse_cast_or_parenthesized();
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

Expr* ExpressionParser::parse_prefix(UnaryOp op) {
  uint32_t begin = take().range.begin;
  Expr* operand = parse_cast();
  return make_expr(position_before_next(begin), Unary{op, operand});
}

Expr* ExpressionParser::parse_cast_or_parenthesized() {
  Token open = take();
  if (!specifiers_.at_cast_type()) return parse_postfix(finish_parenthesized(open));
  TypeName* type = declarators_.parse_type_name();
  expect(TokenKind::RightParen);
  Expr* operand = parse_cast();
  return make_expr(position_before_next(open.range.begin), Cast{type, operand});
}

// Parses the rest of "(" expression ")".
Expr* ExpressionParser::finish_parenthesized(const Token& open) {
  Expr* expr = parse_expression();
  expect(TokenKind::RightParen);
  expr->is_parenthesized = true;
  expr->at.range = position_since(open.range.begin).range;
  return expr;
}

// sizeof = "sizeof" ( "(" type-name ")" | unary ) ;
Expr* ExpressionParser::parse_sizeof() {
  uint32_t begin = take().range.begin;
  if (!at(TokenKind::LeftParen)) {
    Expr* operand = parse_cast();
    return make_expr(position_before_next(begin), SizeofExpr{operand});
  }
  Token open = take();
  if (specifiers_.at_cast_type()) {
    TypeName* type = declarators_.parse_type_name();
    expect(TokenKind::RightParen);
    return make_expr(position_since(begin), SizeofType{type});
  }
  Expr* operand = parse_postfix(finish_parenthesized(open));
  return make_expr(position_before_next(begin), SizeofExpr{operand});
}

Expr* ExpressionParser::parse_stringof() {
  uint32_t begin = take().range.begin;
  Expr* operand = parse_cast();
  return make_expr(position_before_next(begin), Stringof{operand});
}

// postfix = primary { "[" arguments "]" | "(" [ arguments ] ")" | "." name | "->" name | "++" | "--" } ;
Expr* ExpressionParser::parse_postfix(Expr* base) {
  for (;;) {
    Expr* longer = parse_postfix_step(base);
    if (longer == base || failed()) return longer;
    base = longer;
  }
}

Expr* ExpressionParser::parse_postfix_step(Expr* base) {
  uint32_t begin = base->at.range.begin;
  switch (peek().kind) {
    case TokenKind::LeftBracket: {
      take();
      std::vector<Expr*> arguments = parse_arguments();
      expect(TokenKind::RightBracket);
      return make_expr(position_since(begin), Index{base, std::move(arguments)});
    }
    case TokenKind::LeftParen: {
      take();
      std::vector<Expr*> arguments;
      if (!at(TokenKind::RightParen)) arguments = parse_arguments();
      expect(TokenKind::RightParen);
      Position at = position_since(begin);
      at.line = base->at.line;  // a call counts as on the line of its name
      return make_expr(at, Call{base, std::move(arguments)});
    }
    case TokenKind::Dot:
    case TokenKind::Arrow: return parse_member(base);
    case TokenKind::Increment: take(); return make_expr(position_since(begin), Unary{UnaryOp::PostIncrement, base});
    case TokenKind::Decrement: take(); return make_expr(position_since(begin), Unary{UnaryOp::PostDecrement, base});
    default: return base;
  }
}

// arguments = assignment { "," assignment } ;
std::vector<Expr*> ExpressionParser::parse_arguments() {
  std::vector<Expr*> arguments;
  do {
    arguments.push_back(parse_assignment());
  } while (accept(TokenKind::Comma));
  return arguments;
}

Expr* ExpressionParser::parse_member(Expr* base) {
  bool is_arrow = take().kind == TokenKind::Arrow;
  Token name = expect_member_name();
  return make_expr(position_since(base->at.range.begin), Member{base, name.text, is_arrow});
}

// primary = identifier | aggregation | constant | self | this | offsetof | xlate ;
Expr* ExpressionParser::parse_primary() {
  switch (peek().kind) {
    case TokenKind::Identifier: return parse_word();
    case TokenKind::KeySelf: return parse_scoped_variable(VariableScope::Self);
    case TokenKind::KeyThis: return parse_scoped_variable(VariableScope::This);
    case TokenKind::KeyOffsetof: return parse_offsetof();
    case TokenKind::KeyXlate: return parse_xlate();
    case TokenKind::MacroVariable: {
      Token token = take();
      return make_expr(token.at(), Name{VariableScope::Traced, (token.as_text ? "$" : "") + token.text});
    }
    case TokenKind::Integer: {
      Token token = take();
      return make_expr(token.at(), IntLiteral{token.value, token.int_type, token.is_macro, token.is_option});
    }
    case TokenKind::String: {
      Token token = take();
      return make_expr(token.at(), StringLiteral{std::move(token.text), token.is_macro, token.is_option});
    }
    case TokenKind::Aggregation: {
      Token token = take();
      return make_expr(token.at(), AggregationRef{std::move(token.text)});
    }
    default: syntax_error(peek()); return make_expr(peek().at(), IntLiteral{});
  }
}

// self->x, this->x. The checker rejects the prefix alone.
Expr* ExpressionParser::parse_scoped_variable(VariableScope scope) {
  Token prefix = take();
  if (!accept(TokenKind::Arrow)) return make_expr(prefix.at(), Name{scope, {}});
  Token name = expect_member_name();
  return make_expr(position_since(prefix.range.begin), Name{scope, name.text});
}

// x, or a symbol: `sym mod`sym ``sym obj``sym (d-language.md 1.3).
Expr* ExpressionParser::parse_word() {
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
Expr* ExpressionParser::parse_offsetof() {
  uint32_t begin = take().range.begin;
  expect(TokenKind::LeftParen);
  TypeName* type = declarators_.parse_type_name();
  expect(TokenKind::Comma);
  Token member = expect_member_name();
  expect(TokenKind::RightParen);
  return make_expr(position_since(begin), Offsetof{type, member.text});
}

// "xlate" "<" type-name ">" "(" expression ")" ;
Expr* ExpressionParser::parse_xlate() {
  uint32_t begin = take().range.begin;
  expect(TokenKind::Less);
  TypeName* type = declarators_.parse_type_name();
  expect(TokenKind::Greater);
  expect(TokenKind::LeftParen);
  Expr* operand = parse_expression();
  expect(TokenKind::RightParen);
  return make_expr(position_since(begin), Xlate{type, operand});
}

}  // namespace dscope
