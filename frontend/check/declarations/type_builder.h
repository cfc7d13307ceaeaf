// TypeBuilder: types from declaration specifiers and declarators (d-language.md 2.2, 3).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class ExpressionTyper;
class TagDefiner;
class TypeFinder;

enum class ParameterRules : uint8_t { Tuple, Function, ProbeInput, ProbeOutput };

struct DeclaredType {
  TypeId type;
  const KeysPart* keys = nullptr;  // set: an associative array of `type`
};

class TypeBuilder : private CheckerPart {
 public:
  TypeBuilder(CheckContext& context, ExpressionTyper& expressions, TagDefiner& tag_definer, TypeFinder& type_finder)
      : CheckerPart(context), expressions_(expressions), tag_definer_(tag_definer), type_finder_(type_finder) {}

  std::optional<TypeId> type_of(const DeclSpecifiers& specifiers);
  std::optional<TypeId> type_of(const TypeName& name);
  std::optional<DeclaredType> declared_type(TypeId base, const Declarator& declarator, bool is_userland,
                                            bool may_lack_size);
  std::optional<std::vector<TypeId>> parameter_types(const std::vector<Parameter>& parameters, bool has_varargs,
                                                     const Position& at, ParameterRules rules);
  bool check_object_type(const Position& at, TypeId type);
  // While set, unknown type names stand for an integer: -h and -G read provider definitions whose types only the
  // program's C compiler sees.
  void accept_unknown_types(bool accept) { accepts_unknown_types_ = accept; }

 private:
  std::optional<TypeId> basic_type(const DeclSpecifiers& specifiers);
  std::nullopt_t report_unknown_type(const DeclSpecifiers& specifiers, const std::string& module,
                                     const std::string& shown);
  TypeId add_assumed_type(const std::string& name);
  std::optional<TypeId> named_type(const DeclSpecifiers& specifiers, const NamedType& name);
  std::optional<TypeId> tagged_type(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  std::optional<TypeId> array_type(TypeId base, const Declarator& declarator, const ArrayPart& part,
                                   bool may_lack_size);
  std::optional<TypeId> function_type(TypeId result, const FunctionPart& part);
  bool check_parameter(const Parameter& parameter, TypeId type, bool is_only, ParameterRules rules);

  ExpressionTyper& expressions_;
  TagDefiner& tag_definer_;
  TypeFinder& type_finder_;

  // A struct defined inside a cast is defined once, however often its clause is typed.
  std::unordered_map<const TypeName*, TypeId> resolved_names_;
  bool accepts_unknown_types_ = false;
};

}  // namespace dscope
