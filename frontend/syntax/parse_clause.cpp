// Clauses: probe specifiers, predicate, action list.
#include "frontend/syntax/parser_impl.h"

namespace dscope {

// clause = specifier-list [ "/" expression "/" ] body | specifier-list (string units only) ;
void Parser::parse_clause() {
  uint32_t begin = peek().range.begin;
  Clause clause;
  clause.first_node = {program_.node_count};
  do {
    clause.probes.push_back(parse_specifier());
  } while (accept(TokenKind::Comma));

  in_expressions_ = true;
  bool has_predicate = at(TokenKind::Slash);
  if (has_predicate) {
    enter(LexMode::Predicate);
    take();
    clause.predicate = parse_expression();
    expect(TokenKind::PredicateEnd);
    enter(LexMode::Inner);
  }
  if (at(TokenKind::LeftBrace)) parse_action_list(clause);
  else if (has_predicate) missing_actions();
  else if (source_.kind != UnitKind::String) syntax_error(peek());
  clause.end_node = {program_.node_count};
  add_external(begin, std::move(clause));
}

void Parser::missing_actions() {
  if (failed_) return;
  error(Tag::D_SYNTAX, peek().at(), "actions expected after the predicate");
  diagnostics_.hint("actions stand in braces: `BEGIN /pid == 1/ { trace(execname); }`");
}

// body = "{" [ statement ] { ";" [ statement ] } "}" ;
void Parser::parse_action_list(Clause& clause) {
  enter(LexMode::Inner);
  expect(TokenKind::LeftBrace);
  clause.body = parse_statements();
  expect(TokenKind::RightBrace);
}

}  // namespace dscope
