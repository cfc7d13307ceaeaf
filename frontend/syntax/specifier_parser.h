// SpecifierParser: parses the words before declarators: storage, qualifiers, type specifiers, struct/union/enum
// (d-language.md 2.2).
#pragma once

#include "frontend/syntax/grammar_part.h"

namespace dscope {

class DeclaratorParser;
class ExpressionParser;

// Whether the specifiers may include a storage class.
enum class Storage : uint8_t { Allowed, Forbidden };

class SpecifierParser : private GrammarPart {
 public:
  SpecifierParser(const GrammarContext& context, DeclaratorParser& declarators, ExpressionParser& expressions)
      : GrammarPart(context), declarators_(declarators), expressions_(expressions) {}

  // Whether a type can start here.
  bool at_type_start();
  // After a `(`: whether the parenthesis opens a cast.
  bool at_cast_type();
  DeclSpecifiers* parse_decl_specifiers(Storage storage);
  // While set, any word names a type: only the traced program may declare the types of probe arguments.
  void accept_unknown_types(bool accept) { accepts_unknown_types_ = accept; }

 private:
  bool parse_specifier_word(DeclSpecifiers& specifiers, Storage storage);
  void set_storage(DeclSpecifiers& specifiers, StorageClass storage, const Token& word);
  void set_basic(DeclSpecifiers& specifiers, BasicType basic, const Token& word);
  void set_named_type(DeclSpecifiers& specifiers, const Token& word);
  void split_type_word(const Token& word, std::string& module, std::string& name);
  bool reject_second_type(const DeclSpecifiers& specifiers, const Token& word);
  void check_combination(const DeclSpecifiers& specifiers, const Position& at);
  void parse_tag_specifier(DeclSpecifiers& specifiers, TagKind kind);
  void parse_members(TagSpecifier& type);
  MemberDecl parse_member_declarator(DeclSpecifiers* specifiers);
  void parse_enumerators(TagSpecifier& type);

  DeclaratorParser& declarators_;
  ExpressionParser& expressions_;
  bool accepts_unknown_types_ = false;
};

}  // namespace dscope
