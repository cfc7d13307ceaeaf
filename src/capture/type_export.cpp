#include "capture/type_export.h"

#include <algorithm>

namespace dscope {

namespace {

constexpr uint32_t bits_per_byte = 8;

// "pr_start" of "pr_start.tv_sec"
std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }
std::string_view rest_of(std::string_view path) {
  size_t dot = path.find('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
}

}  // namespace

TypeExport::TypeExport(const TypeTable& types, std::vector<Type>& exported) : types_(types), exported_(exported) {
  if (exported_.empty()) exported_.emplace_back();
}

TypeId TypeExport::push(Type type) {
  exported_.push_back(std::move(type));
  return TypeId{static_cast<uint32_t>(exported_.size() - 1)};
}

TypeId TypeExport::add(TypeId id) {
  if (id == TypeTable::error_type()) return {};
  if (auto found = known_.find(id.index); found != known_.end()) return found->second;
  const Type& type = types_.get(id);
  Type copy = type;
  copy.members.clear();
  copy.parameters.clear();
  copy.base = {};
  copy.origin = 0;
  copy.is_complete = true;
  // Objects of the kernel are not recorded, so that nothing reads their members.
  if (types_.is_struct_or_union(id) && type.kind != TypeKind::Typedef) copy.kind = TypeKind::Forward;
  if (type.kind == TypeKind::Function) copy.has_varargs = true;
  bool has_base = type.kind == TypeKind::Pointer || type.kind == TypeKind::Array || type.kind == TypeKind::Typedef;
  if (has_base) copy.base = add(type.base);
  if (type.kind == TypeKind::Function) copy.base = add(types_.void_type());
  return known_[id.index] = push(std::move(copy));
}

TypeId TypeExport::add_object_pointer(TypeId id, const std::vector<std::string>& members) {
  TypeId object = add_struct(id, members);
  constexpr uint64_t pointer_size = 8;
  return push(Type{.kind = TypeKind::Pointer, .size = pointer_size, .base = object});
}

TypeId TypeExport::add_struct(TypeId id, const std::vector<std::string>& members) {
  const Type& type = types_.get(id);
  if (type.kind == TypeKind::Typedef)
    return push(Type{.kind = TypeKind::Typedef, .name = type.name, .base = add_struct(type.base, members)});
  Type copy{.kind = type.kind, .name = type.name, .size = types_.size_of(id)};
  for (const TypeMember& member : type.members) {
    std::vector<std::string> nested;
    bool is_recorded = false;
    for (const std::string& path : members) {
      if (first_part(path) != member.name) continue;
      is_recorded = true;
      if (std::string_view rest = rest_of(path); !rest.empty()) nested.emplace_back(rest);
    }
    if (!is_recorded) continue;
    TypeMember added = member;
    added.type = nested.empty() ? add(member.type) : add_struct(member.type, nested);
    copy.members.push_back(std::move(added));
  }
  return push(std::move(copy));
}

std::optional<MemberPlace> find_member_place(const TypeTable& types, TypeId object, std::string_view path) {
  MemberPlace place{.type = object};
  for (; !path.empty(); path = rest_of(path)) {
    const std::vector<TypeMember>& members = types.resolved(place.type).members;
    auto member = std::ranges::find(members, first_part(path), &TypeMember::name);
    if (member == members.end() || member->bit_size != 0) return std::nullopt;
    place = {.type = member->type, .offset = place.offset + member->bit_offset / bits_per_byte};
  }
  return place;
}

}  // namespace dscope
