// KnownNames: classifies the words of a unit as type names and identifiers (d-language.md 1.2). It collects the names
// that this unit and earlier units declare, and asks the ParseContext for the rest.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/parser.h"

namespace dscope {

class KnownNames {
 public:
  // Starts with the names that the units of `program` declare.
  KnownNames(const Program& program, const ParseContext& context);

  bool is_type(const std::string& name);
  bool is_identifier(const std::string& name);

  void add_identifier(const std::string& name) { identifiers_.insert(name); }
  void learn_declared(const DeclSpecifiers& specifiers, const Declarator& declarator);

  // Parameters of the current definition are identifiers even if a type has the same name.
  void shadow(const std::string& name) { shadows_.insert(name); }
  void shadow(const Declarator& parameterized);
  void clear_shadows() { shadows_.clear(); }

 private:
  void learn(const DeclSpecifiers& specifiers);

  const ParseContext& context_;
  std::unordered_set<std::string> declared_types_, identifiers_, shadows_;
  std::unordered_map<std::string, bool> type_answers_, identifier_answers_;  // cached answers of context_
};

}  // namespace dscope
