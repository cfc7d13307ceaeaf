// Members of structs and unions, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "contract/types/type.h"

namespace dscope {

class Host;

// A member of a struct or union. All member offsets of kernel types come from find_member(), so that a later
// ahead-of-time mode can emit relocations instead.
struct ResolvedMember {
  TypeId type;
  uint64_t bit_offset = 0;
  uint32_t bit_size = 0;  // 0: not a bit-field
  bool within_union = false;
};
// Searches unnamed members too, and completes types on the way. Returns nullopt if there is no such member.
std::optional<ResolvedMember> find_member(Host& host, TypeTable& types, TypeId struct_or_union, std::string_view name);

}  // namespace dscope
