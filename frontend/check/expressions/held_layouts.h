// HeldLayouts: which members of an object of C++, Rust or Go lead to the values that it holds (held_types.def).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

enum class HeldKind : uint8_t {
  Text,
  SizedText,
  ShortText,
  Range,
  Sequence,
  Array,
  Blocks,
  Count,
  Pointer,
  Optional,
  Variant,
  Nodes
};

// A row of held_types.def.
struct HeldType {
  std::string_view names;
  HeldKind kind{};
  std::string_view pointer, extent, flag, element;
  std::string_view next = {};  // Nodes, as the columns of DS_HELD_NODES
  uint64_t links = 0, offset = 0;

  bool is_text() const { return kind == HeldKind::Text || kind == HeldKind::SizedText || kind == HeldKind::ShortText; }
};

class HeldLayouts : private CheckerPart {
 public:
  explicit HeldLayouts(CheckContext& context) : CheckerPart(context) {}

  // The row of a type; null if the type holds no other values.
  const HeldType* find(TypeId id);
  // The type of the member that a dotted path leads to.
  std::optional<TypeId> member_type(TypeId id, std::string_view path);
  // The type of the elements that an object of the type holds.
  std::optional<TypeId> element_type(TypeId id, const HeldType& held);
  // The argument that an instance of a template was made with.
  std::optional<TypeId> argument(TypeId id, size_t index);
  // Completes the types of members first.
  uint32_t alignment_of(TypeId id, int depth = 0);

 private:
  bool has_members(TypeId id, const HeldType& held);
};

}  // namespace dscope
