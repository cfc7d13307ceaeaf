// MemberTyper: p->m and s.m (d-language.md 4.1).
#pragma once

#include <optional>
#include <string>

#include "frontend/check/check_context.h"

namespace dscope {

class AddressSpaces;
class ArgumentTyper;
class Expansions;
class ExpressionTyper;
class NameTable;
class TranslatedObjects;
class Translators;
class TypeErrors;
class TypeFinder;

class MemberTyper : private CheckerPart {
 public:
  MemberTyper(CheckContext& context, AddressSpaces& spaces, ArgumentTyper& arguments, Expansions& expansions,
              ExpressionTyper& expressions, NameTable& names, TranslatedObjects& translated_objects,
              Translators& translators, TypeErrors& type_errors, TypeFinder& type_finder)
      : CheckerPart(context),
        spaces_(spaces),
        arguments_(arguments),
        expansions_(expansions),
        expressions_(expressions),
        names_(names),
        translated_objects_(translated_objects),
        translators_(translators),
        type_errors_(type_errors),
        type_finder_(type_finder) {}

  ExprInfo report_unknown_member(Tag tag, const Expr& expr, TypeId type, const std::string& member);
  ExprInfo check(const Expr& expr, const Member& form);

 private:
  void list_emulated_members(const std::string& member, TypeId emulated);
  // Fails for `args->name` if the probe has no such argument.
  bool report_unknown_argument(const Expr& base, const std::string& member);
  void explain_variable_access(const Expr& base, const std::string& member);
  std::optional<ExprInfo> check_emulated_member(const Expr& expr, const Member& form, const ExprInfo& base);
  std::optional<ExprInfo> find_emulated_member(const Expr& expr, const Member& form, const ExprInfo& base,
                                               const std::string& object_name, const std::string& members_name);

  AddressSpaces& spaces_;
  ArgumentTyper& arguments_;
  Expansions& expansions_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  TranslatedObjects& translated_objects_;
  Translators& translators_;
  TypeErrors& type_errors_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
