#include "contract/member.h"

#include "contract/host.h"

namespace dscope {

std::optional<ResolvedMember> find_member(Host& host, TypeTable& types, TypeId struct_or_union, std::string_view name) {
  TypeId id = types.resolve(struct_or_union);
  if (!types.get(id).is_complete) host.complete_type(types, id);
  bool is_union = types.get(id).kind == TypeKind::Union;
  for (size_t i = 0; i < types.get(id).members.size(); ++i) {
    TypeMember member = types.get(id).members[i];
    if (member.name == name) return ResolvedMember{member.type, member.bit_offset, member.bit_size, is_union};
    if (!member.name.empty() || !types.is_struct_or_union(member.type)) continue;
    if (auto inner = find_member(host, types, member.type, name)) {
      inner->bit_offset += member.bit_offset;
      inner->within_union |= is_union;
      return inner;
    }
  }
  return std::nullopt;
}

}  // namespace dscope
