#include "contract/types/member.h"

#include "contract/host.h"

namespace dscope {

namespace {

constexpr int max_unnamed_levels = 64;

// Looks only below `level` levels of unnamed members. Sets `has_deeper` if there are further levels.
std::optional<ResolvedMember> find_at_level(Host& host, TypeTable& types, TypeId struct_or_union, std::string_view name,
                                            int level, bool& has_deeper) {
  TypeId id = types.resolve(struct_or_union);
  if (!types.get(id).is_complete) host.complete_type(types, id);
  bool is_union = types.get(id).kind == TypeKind::Union;
  for (size_t i = 0; i < types.get(id).members.size(); ++i) {
    const TypeMember& member = types.get(id).members[i];
    if (level == 0 && member.name == name)
      return ResolvedMember{member.type, member.bit_offset, member.bit_size, is_union};
    TypeId type = member.type;
    uint32_t bit_offset = member.bit_offset;
    if (!member.name.empty() || !types.is_struct_or_union(type)) continue;
    has_deeper |= level == 0;
    if (level == 0) continue;
    // Completing a type may move the rows.
    if (auto inner = find_at_level(host, types, type, name, level - 1, has_deeper)) {
      inner->bit_offset += bit_offset;
      inner->within_union |= is_union;
      return inner;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ResolvedMember> find_member(Host& host, TypeTable& types, TypeId struct_or_union, std::string_view name) {
  for (int level = 0; level < max_unnamed_levels; ++level) {
    bool has_deeper = false;
    if (auto found = find_at_level(host, types, struct_or_union, name, level, has_deeper)) return found;
    if (!has_deeper) break;
  }
  return std::nullopt;
}

}  // namespace dscope
