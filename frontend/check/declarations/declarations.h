// Declarations: variables, typedefs and external symbols that D declares (d-language.md 2.2).
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

struct DeclaredType;
class NameTable;
class TypeBuilder;
class TypeFinder;

class Declarations : private CheckerPart {
 public:
  Declarations(CheckContext& context, NameTable& names, TypeBuilder& type_builder, TypeFinder& type_finder)
      : CheckerPart(context), names_(names), type_builder_(type_builder), type_finder_(type_finder) {}

  void declare(const Declaration& declaration);

 private:
  void declare_name(const DeclSpecifiers& specifiers, TypeId base, const Declarator& declarator);
  void declare_typedef(const Declarator& declarator, TypeId type);
  void declare_extern(const Declarator& declarator, TypeId type);
  bool is_same_variable(const Variable& a, const Variable& b) const;
  void declare_variable(const DeclSpecifiers& specifiers, const Declarator& declarator, const DeclaredType& declared);

  NameTable& names_;
  TypeBuilder& type_builder_;
  TypeFinder& type_finder_;

  uint64_t declared_bytes_ = 0;  // size of all declared variables
};

}  // namespace dscope
