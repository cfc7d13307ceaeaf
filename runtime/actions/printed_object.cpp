#include "runtime/actions/printed_object.h"

#include <algorithm>

#include "runtime/format/value.h"
#include "support/check.h"

namespace dscope {

PrintedObject::PrintedObject(const std::vector<PrintedType>& types, std::span<const std::byte> bytes, uint64_t shown)
    : types_(types), bytes_(bytes), shown_(std::min<uint64_t>(shown, bytes.size())) {}

const PrintedType& PrintedObject::type(int32_t index) const {
  DS_CHECK(index >= 0 && static_cast<size_t>(index) < types_.size());
  return types_[static_cast<size_t>(index)];
}

bool PrintedObject::is_zero(uint64_t offset, uint64_t size) const {
  uint64_t end = std::min<uint64_t>(offset + size, bytes_.size());
  for (uint64_t i = offset; i < end; ++i)
    if (bytes_[i] != std::byte{0}) return false;
  return true;
}

int64_t PrintedObject::number(const PrintedType& type, uint64_t offset) const {
  if (offset + type.size > bytes_.size()) return 0;
  Field field{.size = static_cast<uint32_t>(type.size), .is_signed = type.is_signed};
  return load_integer(field, bytes_.data() + offset);
}

int64_t PrintedObject::bits(const PrintedMember& member, uint64_t offset) const {
  uint64_t value = 0;
  // A 64-bit field that is not byte-aligned spans nine bytes, so this reads bit by bit.
  for (uint32_t i = 0; i < member.bit_size && i < 64; ++i) {
    uint64_t bit = offset * 8 + member.bit_offset + i;
    if (bit / 8 < bytes_.size() && (std::to_integer<uint64_t>(bytes_[bit / 8]) >> bit % 8 & 1) != 0)
      value |= uint64_t{1} << i;
  }
  bool is_negative = type(member.type).is_signed && member.bit_size < 64 && (value >> (member.bit_size - 1) & 1) != 0;
  if (is_negative) value |= ~uint64_t{0} << member.bit_size;
  return static_cast<int64_t>(value);
}

bool PrintedObject::has_member(const PrintedType& object, size_t index, uint64_t offset) const {
  if (object.kind != PrintedKind::Object || object.enumerators.empty()) return true;
  bool is_counted = object.count != 0;
  if (index == 0) return is_counted;
  const PrintedMember& first = object.members.front();
  int64_t selector = number(type(first.type), offset + first.bit_offset / 8);
  auto own = std::ranges::find(object.enumerators, object.members[index].name, &TypeEnumerator::name);
  if (is_counted)
    return own != object.enumerators.end() && static_cast<uint64_t>(own->value) < static_cast<uint64_t>(selector);
  if (own != object.enumerators.end()) return own->value == selector;
  return std::ranges::find(object.enumerators, selector, &TypeEnumerator::value) == object.enumerators.end();
}

PrintedFields printed_fields(const RecordedAction& call) {
  const Field* pointer = call.field(1) ? call.field(0) : nullptr;
  return {pointer, pointer ? call.field(1) : call.field(0)};
}

PrintedObject printed_object(const RecordedAction& call, const ActionServices& services, const Field& value) {
  bool is_limited = services.options.is_set(OptionId::Printsize);
  uint64_t shown = is_limited ? static_cast<uint64_t>(services.options.number(OptionId::Printsize)) : UINT64_MAX;
  return {services.plan.printed_types, field_bytes(value, call.record), shown};
}

}  // namespace dscope
