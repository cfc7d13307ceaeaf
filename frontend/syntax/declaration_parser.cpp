// Top-level constructs other than clauses: declarations, inlines, translators, providers (d-language.md 2.2-2.5).
#include "frontend/syntax/parser_impl.h"

namespace dscope {

// declaration = decl-specs [ declarator { "," declarator } ] ";" ;
void Parser::parse_declaration() {
  enter(LexMode::Inner);
  uint32_t begin = peek().range.begin;
  Declaration form;
  form.specifiers = parse_decl_specifiers(Storage::Allowed);
  if (!at(TokenKind::Semicolon)) {
    do {
      form.declarators.push_back(parse_declarator(Naming::Required));
      learn_declared(*form.specifiers, *form.declarators.back());
    } while (accept(TokenKind::Comma));
  }
  expect(TokenKind::Semicolon);
  add_external(begin, std::move(form));
}

// inline-def = "inline" decl-specs declarator "=" assignment ";" ;
void Parser::parse_inline() {
  enter(LexMode::Inner);
  uint32_t begin = take().range.begin;
  InlineDefinition form;
  form.specifiers = parse_decl_specifiers(Storage::Allowed);
  form.declarator = parse_declarator(Naming::Optional);
  expect(TokenKind::Assign);
  in_expressions_ = true;
  shadow(*form.declarator);
  form.value = parse_assignment();
  expect(TokenKind::Semicolon);
  learn_declared(*form.specifiers, *form.declarator);
  add_external(begin, form);
}

// translator-def = "translator" type-name "<" type-name IDENT ">" "{" { member } "}" ";" ;
void Parser::parse_translator() {
  enter(LexMode::Inner);
  uint32_t begin = take().range.begin;
  TranslatorDefinition form;
  form.output = parse_type_name();
  expect(TokenKind::Less);
  form.input = parse_translator_input(form.input_name);
  expect(TokenKind::Greater);
  expect(TokenKind::LeftBrace);
  in_expressions_ = true;
  shadowing_.insert(form.input_name);
  while (!at(TokenKind::RightBrace) && !failed_) form.members.push_back(parse_translator_member());
  expect(TokenKind::RightBrace);
  expect(TokenKind::Semicolon);
  add_external(begin, std::move(form));
}

// type-name IDENT, where the identifier may also stand within the declarator as in a parameter.
TypeName* Parser::parse_translator_input(std::string& name) {
  TypeName& type = program_.type_names.emplace_back();
  uint32_t begin = peek().range.begin;
  type.specifiers = parse_decl_specifiers(Storage::Forbidden);
  type.declarator = parse_declarator(Naming::Optional);
  type.at = place_since(begin);
  name = std::exchange(type.declarator->name, {});
  if (name.empty()) name = expect(TokenKind::Identifier).text;
  return &type;
}

// member = IDENT "=" assignment ";" ;
TranslatorMember Parser::parse_translator_member() {
  TranslatorMember member;
  Token name = expect(TokenKind::Identifier);
  expect(TokenKind::Assign);
  member.name = name.text;
  member.value = parse_assignment();
  member.at = place_before_next(name.range.begin);
  expect(TokenKind::Semicolon);
  return member;
}

// provider-def = "provider" IDENT "{" { probe } "}" ";" ;
void Parser::parse_provider() {
  enter(LexMode::Inner);
  uint32_t begin = take().range.begin;
  ProviderDefinition form;
  form.name = expect(TokenKind::Identifier).text;
  expect(TokenKind::LeftBrace);
  form.takes_unknown_types = takes_unknown_types_ = options_.takes_unknown_types;
  while (!at(TokenKind::RightBrace) && !failed_) form.probes.push_back(parse_provider_probe());
  takes_unknown_types_ = false;
  expect(TokenKind::RightBrace);
  expect(TokenKind::Semicolon);
  add_external(begin, std::move(form));
}

// probe = "probe" IDENT function [ ":" function ] ";" ;
ProviderProbe Parser::parse_provider_probe() {
  ProviderProbe probe;
  uint32_t begin = peek().range.begin;
  expect(TokenKind::KeyProbe);
  probe.name = expect(TokenKind::Identifier).text;
  expect(TokenKind::LeftParen);
  probe.arguments = parse_function_part();
  if (accept(TokenKind::Colon)) {
    expect(TokenKind::LeftParen);
    probe.translated = parse_function_part();
  }
  probe.at = place_before_next(begin);
  expect(TokenKind::Semicolon);
  return probe;
}

}  // namespace dscope
