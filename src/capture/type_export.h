// Copies types of a compilation into a capture: types of values whole, types that pointers only lead to by name, and
// translated objects with the members that are recorded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture_info.h"
#include "contract/types/type.h"

namespace dscope {

class TypeExport {
 public:
  // Both must outlive this object. The error type becomes the first of `exported`.
  TypeExport(const TypeTable& types, std::vector<Type>& exported);

  TypeId add(TypeId id);
  // A pointer to the struct `id` (perhaps through typedefs) with these members only: "pr_pid", "pr_start.tv_sec".
  TypeId add_object_pointer(TypeId id, const std::vector<std::string>& members);

 private:
  TypeId add_struct(TypeId id, const std::vector<std::string>& members);
  TypeId push(Type type);

  const TypeTable& types_;
  std::vector<Type>& exported_;
  std::map<uint32_t, TypeId> known_;
};

// The place of a member of an object: its type, and its offset in bytes. Nullopt for bit-fields and unknown members.
struct MemberPlace {
  TypeId type;
  uint32_t offset = 0;
};
std::optional<MemberPlace> find_member_place(const TypeTable& types, TypeId object, std::string_view path);

}  // namespace dscope
