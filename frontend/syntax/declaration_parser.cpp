#include "frontend/syntax/declaration_parser.h"

#include "frontend/syntax/declarator_parser.h"
#include "frontend/syntax/expression_parser.h"
#include "frontend/syntax/specifier_parser.h"

namespace dscope {

// declaration = decl-specs [ declarator { "," declarator } ] ";" ;
Declaration DeclarationParser::parse_declaration() {
  enter(LexMode::Inner);
  Declaration form;
  form.specifiers = specifiers_.parse_decl_specifiers(Storage::Allowed);
  if (!at(TokenKind::Semicolon)) {
    do {
      form.declarators.push_back(declarators_.parse_declarator(Naming::Required));
      names_.learn_declared(*form.specifiers, *form.declarators.back());
    } while (accept(TokenKind::Comma));
  }
  expect(TokenKind::Semicolon);
  return form;
}

// inline-def = "inline" decl-specs declarator "=" assignment ";" ;
InlineDefinition DeclarationParser::parse_inline() {
  enter(LexMode::Inner);
  take();
  InlineDefinition form;
  form.specifiers = specifiers_.parse_decl_specifiers(Storage::Allowed);
  form.declarator = declarators_.parse_declarator(Naming::Optional);
  expect(TokenKind::Assign);
  tokens_.start_expressions();
  names_.shadow(*form.declarator);
  form.value = expressions_.parse_assignment();
  expect(TokenKind::Semicolon);
  names_.learn_declared(*form.specifiers, *form.declarator);
  return form;
}

// translator-def = "translator" type-name "<" type-name IDENT ">" "{" { member } "}" ";" ;
TranslatorDefinition DeclarationParser::parse_translator() {
  enter(LexMode::Inner);
  take();
  TranslatorDefinition form;
  form.output = declarators_.parse_type_name();
  expect(TokenKind::Less);
  form.input = parse_translator_input(form.input_name);
  expect(TokenKind::Greater);
  expect(TokenKind::LeftBrace);
  tokens_.start_expressions();
  names_.shadow(form.input_name);
  while (!at(TokenKind::RightBrace) && !failed()) form.members.push_back(parse_translator_member());
  expect(TokenKind::RightBrace);
  expect(TokenKind::Semicolon);
  return form;
}

// type-name IDENT ;   the identifier may also be part of the declarator, as in a parameter
TypeName* DeclarationParser::parse_translator_input(std::string& name) {
  TypeName& type = program_.type_names.emplace_back();
  uint32_t begin = peek().range.begin;
  type.specifiers = specifiers_.parse_decl_specifiers(Storage::Forbidden);
  type.declarator = declarators_.parse_declarator(Naming::Optional);
  type.at = position_since(begin);
  name = std::exchange(type.declarator->name, {});
  if (name.empty()) name = expect(TokenKind::Identifier).text;
  return &type;
}

// member = IDENT "=" assignment ";" ;
TranslatorMember DeclarationParser::parse_translator_member() {
  TranslatorMember member;
  Token name = expect(TokenKind::Identifier);
  expect(TokenKind::Assign);
  member.name = name.text;
  member.value = expressions_.parse_assignment();
  member.at = position_before_next(name.range.begin);
  expect(TokenKind::Semicolon);
  return member;
}

// provider-def = "provider" IDENT "{" { probe } "}" ";" ;
ProviderDefinition DeclarationParser::parse_provider(bool accept_unknown_types) {
  enter(LexMode::Inner);
  take();
  ProviderDefinition form;
  form.name = expect(TokenKind::Identifier).text;
  expect(TokenKind::LeftBrace);
  form.accepts_unknown_types = accept_unknown_types;
  specifiers_.accept_unknown_types(accept_unknown_types);
  while (!at(TokenKind::RightBrace) && !failed()) form.probes.push_back(parse_provider_probe());
  specifiers_.accept_unknown_types(false);
  expect(TokenKind::RightBrace);
  expect(TokenKind::Semicolon);
  return form;
}

// probe = "probe" IDENT function [ ":" function ] ";" ;
ProviderProbe DeclarationParser::parse_provider_probe() {
  ProviderProbe probe;
  uint32_t begin = peek().range.begin;
  expect(TokenKind::KeyProbe);
  probe.name = expect(TokenKind::Identifier).text;
  expect(TokenKind::LeftParen);
  probe.arguments = declarators_.parse_function_part();
  if (accept(TokenKind::Colon)) {
    expect(TokenKind::LeftParen);
    probe.translated = declarators_.parse_function_part();
  }
  probe.at = position_before_next(begin);
  expect(TokenKind::Semicolon);
  return probe;
}

}  // namespace dscope
