// TagDefiner: definitions of structs, unions and enums, and the layout of their members.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class ExpressionTyper;
class NameTable;
class TypeBuilder;
class TypeFinder;

std::string_view to_text(TagKind kind);
// "struct NAME"; empty without a tag.
std::string tag_name(const TagSpecifier& tag);

class TagDefiner : private CheckerPart {
 public:
  TagDefiner(CheckContext& context, ExpressionTyper& expressions, NameTable& names, TypeBuilder& type_builder,
             TypeFinder& type_finder)
      : CheckerPart(context),
        expressions_(expressions),
        names_(names),
        type_builder_(type_builder),
        type_finder_(type_finder) {}

  std::optional<TypeId> define_enum(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  std::optional<TypeId> define_struct(const DeclSpecifiers& specifiers, const TagSpecifier& tag);

 private:
  std::optional<TypeId> open_definition(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  bool add_enumerator(const Enumerator& enumerator, TypeId id, int64_t& next);
  std::optional<TypeMember> layout_member(const MemberDecl& member, bool is_union, uint64_t& end_bits,
                                          uint32_t& alignment);
  std::optional<uint32_t> bit_field_width(const MemberDecl& member, TypeId type);

  ExpressionTyper& expressions_;
  NameTable& names_;
  TypeBuilder& type_builder_;
  TypeFinder& type_finder_;
};

}  // namespace dscope
