#include "frontend/check/expressions/held_layouts.h"

#include <algorithm>

#include "contract/types/member.h"
#include "support/text/parse_integer.h"

namespace dscope {

namespace {

constexpr uint64_t tree_links(uint64_t left, uint64_t right, uint64_t parent) {
  return left | right << 8 | parent << 16;
}

constexpr HeldType held_types[] = {
#define DS_HELD_TYPE(names, kind, pointer, extent, flag, element) \
  {names, HeldKind::kind, pointer, extent, flag, element},
#define DS_HELD_NODES(names, first, count, next, links, offset, element) \
  {names, HeldKind::Nodes, first, count, "", element, next, links, offset},
#include "frontend/check/expressions/held_types.def"
#undef DS_HELD_TYPE
#undef DS_HELD_NODES
};

std::string_view without_keyword(std::string_view name) {
  size_t blank = name.find(' ');
  bool has_keyword = name.starts_with("struct ") || name.starts_with("union ");
  return has_keyword ? name.substr(blank + 1) : name;
}

bool is_named(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool has_name(const HeldType& held, std::string_view name) {
  std::string_view rest = held.names;
  while (!rest.empty()) {
    size_t end = std::min(rest.find('|'), rest.size());
    if (is_named(name, rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::optional<TypeId> HeldLayouts::member_type(TypeId id, std::string_view path) {
  while (!path.empty()) {
    size_t dot = std::min(path.find('.'), path.size());
    auto found = types_.is_struct_or_union(id) ? find_member(host_, types_, id, path.substr(0, dot)) : std::nullopt;
    if (!found) return std::nullopt;
    id = found->type;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return id;
}

bool HeldLayouts::has_members(TypeId id, const HeldType& held) {
  auto pointer = member_type(id, held.pointer), extent = member_type(id, held.extent);
  if (!pointer || !extent || !member_type(id, held.flag)) return false;
  switch (held.kind) {
    case HeldKind::Text:
    case HeldKind::SizedText:
    case HeldKind::ShortText: return types_.is_pointer(*pointer) && types_.is_string_compatible(*pointer);
    case HeldKind::Range:
    case HeldKind::Sequence:
    case HeldKind::Pointer: return types_.is_pointer(*pointer);
    case HeldKind::Array: return types_.resolved(*pointer).kind == TypeKind::Array;
    case HeldKind::Blocks:
      return member_type(*pointer, "_M_cur") && member_type(*pointer, "_M_first") && member_type(*pointer, "_M_last") &&
             member_type(*extent, "_M_node");
    case HeldKind::Count: return types_.is_integer(*extent);
    case HeldKind::Optional:
    case HeldKind::Variant: return true;
    case HeldKind::Nodes: {
      if (!types_.is_pointer(*pointer) || !types_.is_integer(*extent)) return false;
      return held.next.empty() || member_type(types_.resolved(*pointer).base, held.next);
    }
  }
  return false;
}

const HeldType* HeldLayouts::find(TypeId id) {
  id = types_.resolve(id);
  if (!types_.is_struct_or_union(id) || !types_.get(id).is_userland) return nullptr;
  std::string name{without_keyword(types_.get(id).name)};
  for (const HeldType& held : held_types)
    if (has_name(held, name) && has_members(id, held)) return &held;
  return nullptr;
}

std::optional<TypeId> HeldLayouts::argument(TypeId id, size_t index) {
  host_.complete_type(types_, id);
  const std::vector<TypeId>& arguments = types_.resolved(id).arguments;
  return index < arguments.size() ? std::optional(arguments[index]) : std::nullopt;
}

std::optional<TypeId> HeldLayouts::element_type(TypeId id, const HeldType& held) {
  std::string_view path = held.element;
  if (path.empty()) {
    std::string_view cursor = held.kind == HeldKind::Blocks ? "_M_cur" : "";
    TypeId pointer = *member_type(*member_type(id, held.pointer), cursor);
    return types_.resolved(pointer).base;
  }
  // GCC does not state the argument of std::allocator.
  size_t colon = path.find(':');
  std::optional<TypeId> found = id;
  if (colon != std::string_view::npos) {
    found = member_type(id, path.substr(0, colon));
    path.remove_prefix(colon + 1);
  }
  while (found && !path.empty()) {
    size_t dot = std::min(path.find('.'), path.size());
    found = argument(*found, parse_integer<size_t>(path.substr(0, dot)).value_or(0));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return found;
}

uint32_t HeldLayouts::alignment_of(TypeId id, int depth) {
  constexpr int max_depth = 8;
  id = types_.resolve(id);
  if (types_.get(id).kind == TypeKind::Array) return alignment_of(types_.get(id).base, depth);
  if (!types_.is_struct_or_union(id) || depth == max_depth) return types_.alignment_of(id);
  host_.complete_type(types_, id);
  uint32_t widest = 1;
  for (size_t i = 0; i < types_.get(id).members.size(); ++i)
    widest = std::max(widest, alignment_of(types_.get(id).members[i].type, depth + 1));
  return widest;
}

}  // namespace dscope
