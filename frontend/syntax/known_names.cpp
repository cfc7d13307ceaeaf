#include "frontend/syntax/known_names.h"

namespace dscope {

KnownNames::KnownNames(const Program& program, const ParseContext& context) : context_(context) {
  for (const ProgramUnit& unit : program.units) {
    for (const External& external : unit.externals) {
      if (const auto* declaration = std::get_if<Declaration>(&external.form)) {
        learn(*declaration->specifiers);
        for (const Declarator* declarator : declaration->declarators)
          learn_declared(*declaration->specifiers, *declarator);
      } else if (const auto* definition = std::get_if<InlineDefinition>(&external.form)) {
        learn_declared(*definition->specifiers, *definition->declarator);
      }
    }
  }
}

// Enumerators are identifiers, however deeply their enum is nested.
void KnownNames::learn(const DeclSpecifiers& specifiers) {
  const auto* type = std::get_if<TagSpecifier>(&specifiers.type);
  if (type == nullptr) return;
  for (const Enumerator& enumerator : type->enumerators) identifiers_.insert(enumerator.name);
  for (const MemberDecl& member : type->members) learn(*member.specifiers);
}

void KnownNames::learn_declared(const DeclSpecifiers& specifiers, const Declarator& declarator) {
  if (declarator.name.empty()) return;
  bool is_function = !declarator.parts.empty() && std::holds_alternative<FunctionPart>(declarator.parts.front());
  if (specifiers.storage == StorageClass::Typedef) declared_types_.insert(declarator.name);
  else if (specifiers.storage == StorageClass::None && !is_function) identifiers_.insert(declarator.name);
}

void KnownNames::shadow(const Declarator& parameterized) {
  for (const auto& part : parameterized.parts)
    if (const auto* keys = std::get_if<KeysPart>(&part))
      for (const Parameter& key : keys->keys) shadows_.insert(key.declarator->name);
}

bool KnownNames::is_type(const std::string& name) {
  // D`name and C`name are types that the program itself declares.
  bool is_own = name.starts_with("D`") || name.starts_with("C`");
  if (declared_types_.contains(is_own ? name.substr(2) : name)) return true;
  if (!context_.is_type) return false;
  auto [answer, is_new] = type_answers_.try_emplace(name, false);
  if (is_new) answer->second = context_.is_type(name);
  return answer->second;
}

bool KnownNames::is_identifier(const std::string& name) {
  if (identifiers_.contains(name) || shadows_.contains(name)) return true;
  if (!context_.is_identifier) return false;
  auto [answer, is_new] = identifier_answers_.try_emplace(name, false);
  if (is_new) answer->second = context_.is_identifier(name);
  return answer->second;
}

}  // namespace dscope
