// Structures that print() shows for several values at once: the arguments of a probe, the variables of a program.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "contract/types/type.h"

namespace dscope {

// Places a member behind those that the structure has.
inline TypeMember& append_member(const TypeTable& types, Type& object, std::string name, TypeId type) {
  uint64_t alignment = std::max<uint64_t>(types.alignment_of(type), 1);
  object.size = (object.size + alignment - 1) / alignment * alignment;
  object.members.push_back(
      {.name = std::move(name), .type = type, .bit_offset = static_cast<uint32_t>(object.size * 8)});
  object.size += types.size_of(type);
  return object.members.back();
}

}  // namespace dscope
