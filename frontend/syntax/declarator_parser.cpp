#include "frontend/syntax/declarator_parser.h"

#include "frontend/syntax/expression_parser.h"
#include "frontend/syntax/specifier_parser.h"

namespace dscope {

Declarator* DeclaratorParser::parse_declarator(Naming naming) {
  Declarator& declarator = program_.declarators.emplace_back();
  uint32_t begin = peek().range.begin;
  parse_declarator_into(declarator, naming);
  declarator.at = position_before_next(begin);
  if (declarator.parts.size() > program_.max_levels) report_nesting();
  return &declarator;
}

// declarator = { pointer } direct-decl ;   parts are ordered from the name outwards, so the first pointers come last
void DeclaratorParser::parse_declarator_into(Declarator& declarator, Naming naming) {
  Nesting nesting(tokens_);
  std::vector<PointerPart> pointers;
  while (at(TokenKind::Star)) pointers.push_back(parse_pointer());
  parse_direct_declarator(declarator, naming);
  declarator.parts.insert(declarator.parts.end(), pointers.rbegin(), pointers.rend());
}

// pointer = "*" { qualifier } ;
PointerPart DeclaratorParser::parse_pointer() {
  PointerPart pointer;
  expect(TokenKind::Star);
  for (;;) {
    if (accept(TokenKind::KeyConst)) pointer.is_const = true;
    else if (accept(TokenKind::KeyVolatile)) pointer.is_volatile = true;
    else if (accept(TokenKind::KeyRestrict)) pointer.is_restrict = true;
    else return pointer;
  }
}

// direct-decl = ( IDENT | "(" declarator ")" | nothing ) { array | function } ;
void DeclaratorParser::parse_direct_declarator(Declarator& declarator, Naming naming) {
  if (accept(TokenKind::LeftParen)) {
    if (naming != Naming::Required && at_parameters()) {
      declarator.parts.push_back(parse_function_part());
    } else {
      parse_declarator_into(declarator, naming);
      expect(TokenKind::RightParen);
    }
  } else if (at(TokenKind::Identifier) && naming != Naming::Forbidden) {
    Token name = take();
    tokens_.reject_scoped(name);
    declarator.name = name.text;
  } else if (naming == Naming::Required) {
    syntax_error(peek());
  }
  for (;;) {
    if (at(TokenKind::LeftBracket)) {
      parse_array_part(declarator);
    } else if (accept(TokenKind::LeftParen)) {
      declarator.parts.push_back(parse_function_part());
    } else {
      return;
    }
  }
}

// Whether a parameter list, perhaps an empty one, starts here, not a declarator or an array size.
bool DeclaratorParser::at_parameters() {
  switch (peek().kind) {
    case TokenKind::RightParen:
    case TokenKind::Ellipsis:
    case TokenKind::KeyAuto:
    case TokenKind::KeyExtern:
    case TokenKind::KeyRegister:
    case TokenKind::KeySelf:
    case TokenKind::KeyStatic:
    case TokenKind::KeyThis:
    case TokenKind::KeyTypedef: return true;
    default: return specifiers_.at_type_start();
  }
}

// array = "[" [ const-expr | param-list ] "]" ;
void DeclaratorParser::parse_array_part(Declarator& declarator) {
  expect(TokenKind::LeftBracket);
  if (accept(TokenKind::RightBracket)) {
    declarator.parts.emplace_back(ArrayPart{});
    return;
  }
  bool before = tokens_.exchange_declarator_brackets(true);
  if (at_parameters()) {
    KeysPart part;
    part.has_varargs = parse_parameters(part.keys);
    declarator.parts.emplace_back(std::move(part));
  } else {
    declarator.parts.emplace_back(ArrayPart{expressions_.parse_conditional()});
  }
  tokens_.exchange_declarator_brackets(before);
  expect(TokenKind::RightBracket);
}

// function = "(" [ param-list ] ")" ;   after the opening parenthesis
FunctionPart DeclaratorParser::parse_function_part() {
  FunctionPart part;
  if (!at(TokenKind::RightParen)) part.has_varargs = parse_parameters(part.parameters);
  expect(TokenKind::RightParen);
  return part;
}

// param-list = param { "," param } [ "," "..." ] | "..." ;   returns true if it ends in "..."
bool DeclaratorParser::parse_parameters(std::vector<Parameter>& parameters) {
  do {
    if (accept(TokenKind::Ellipsis)) return true;
    parameters.push_back(parse_parameter());
  } while (accept(TokenKind::Comma));
  return false;
}

// param = param-specs [ declarator | abstract-declarator ] ;
Parameter DeclaratorParser::parse_parameter() {
  Nesting nesting(tokens_);
  Parameter parameter;
  uint32_t begin = peek().range.begin;
  parameter.specifiers = specifiers_.parse_decl_specifiers(Storage::Allowed);
  parameter.declarator = parse_declarator(Naming::Optional);
  parameter.at = position_before_next(begin);
  return parameter;
}

// type-name = spec-qual-list [ abstract-declarator ] ;
TypeName* DeclaratorParser::parse_type_name() {
  TypeName& type = program_.type_names.emplace_back();
  uint32_t begin = peek().range.begin;
  type.specifiers = specifiers_.parse_decl_specifiers(Storage::Forbidden);
  type.declarator = parse_declarator(Naming::Forbidden);
  type.at = position_since(begin);
  return &type;
}

}  // namespace dscope
