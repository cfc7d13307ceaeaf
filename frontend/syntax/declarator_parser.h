// DeclaratorParser: parses declarators, parameters and type names (d-language.md 2.2).
#pragma once

#include "frontend/syntax/grammar_part.h"

namespace dscope {

class SpecifierParser;
class ExpressionParser;

// Whether a declarator contains a name.
enum class Naming : uint8_t { Required, Optional, Forbidden };

class DeclaratorParser : private GrammarPart {
 public:
  DeclaratorParser(const GrammarContext& context, SpecifierParser& specifiers, ExpressionParser& expressions)
      : GrammarPart(context), specifiers_(specifiers), expressions_(expressions) {}

  Declarator* parse_declarator(Naming naming);
  FunctionPart parse_function_part();
  TypeName* parse_type_name();

 private:
  void parse_declarator_into(Declarator& declarator, Naming naming);
  void parse_direct_declarator(Declarator& declarator, Naming naming);
  bool at_parameters();
  PointerPart parse_pointer();
  void parse_array_part(Declarator& declarator);
  bool parse_parameters(std::vector<Parameter>& parameters);
  Parameter parse_parameter();

  SpecifierParser& specifiers_;
  ExpressionParser& expressions_;
};

}  // namespace dscope
