#include "contract/host.h"

#include "support/glob.h"

namespace dscope {

namespace {

bool is_name(std::string_view field) { return !field.empty() && !is_glob(field); }

}  // namespace

Attributes description_attributes(Host& host, const ProbeDescription& description) {
  constexpr Attributes unknown{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
  if (!is_name(description.provider)) return unknown;
  // A provider without probes is unknown to the machine.
  if (host.match({.id = {}, .provider = description.provider, .module = {}, .function = {}, .name = {}}).empty())
    return unknown;
  ProviderAttributes provider = host.provider_attributes(description.provider);
  Attributes lowest = provider.provider;
  if (is_name(description.module)) lowest = minimum(lowest, provider.module);
  if (is_name(description.function)) lowest = minimum(lowest, provider.function);
  if (is_name(description.name)) lowest = minimum(lowest, provider.name);
  return lowest;
}

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
