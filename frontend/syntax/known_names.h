// KnownNames: which words of a unit are names of types and which are identifiers (d-language.md 1.2): those that the
// unit and earlier units declare, and those that the ParseContext knows.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/parser.h"

namespace dscope {

class KnownNames {
 public:
  // Knows the names that the units of `program` declare.
  KnownNames(const Program& program, const ParseContext& context);

  bool is_type(const std::string& name);
  bool is_identifier(const std::string& name);

  void add_identifier(const std::string& name) { identifiers_.insert(name); }
  void learn_declared(const DeclSpecifiers& specifiers, const Declarator& declarator);

  // Parameters of the definition being parsed are identifiers even if a type has their name.
  void shadow(const std::string& name) { shadows_.insert(name); }
  void shadow(const Declarator& parameterized);
  void clear_shadows() { shadows_.clear(); }

 private:
  void learn(const DeclSpecifiers& specifiers);

  const ParseContext& context_;
  std::unordered_set<std::string> declared_types_, identifiers_, shadows_;
  std::unordered_map<std::string, bool> asked_types_, asked_identifiers_;  // answers of context_
};

}  // namespace dscope
