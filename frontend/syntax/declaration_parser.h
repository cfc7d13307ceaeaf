// DeclarationParser: top-level constructs other than clauses: declarations, inlines, translators, providers
// (d-language.md 2.2-2.5).
#pragma once

#include "frontend/syntax/grammar_part.h"

namespace dscope {

class SpecifierParser;
class DeclaratorParser;
class ExpressionParser;

class DeclarationParser : private GrammarPart {
 public:
  DeclarationParser(const GrammarContext& context, SpecifierParser& specifiers, DeclaratorParser& declarators,
                    ExpressionParser& expressions)
      : GrammarPart(context), specifiers_(specifiers), declarators_(declarators), expressions_(expressions) {}

  Declaration parse_declaration();
  InlineDefinition parse_inline();
  TranslatorDefinition parse_translator();
  // accept_unknown_types: see ParseOptions::accepts_unknown_types.
  ProviderDefinition parse_provider(bool accept_unknown_types);

 private:
  TypeName* parse_translator_input(std::string& name);
  TranslatorMember parse_translator_member();
  ProviderProbe parse_provider_probe();

  SpecifierParser& specifiers_;
  DeclaratorParser& declarators_;
  ExpressionParser& expressions_;
};

}  // namespace dscope
