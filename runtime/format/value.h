// Loads the fields of a record or key from its bytes. The caller must have checked that the bytes hold the whole
// layout.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "contract/program_plan.h"

namespace dscope {

inline uint64_t load_word(const std::byte* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The low `size` bytes at `at`, zero-extended; sizes other than 1, 2, 4, 8 read as 0.
inline uint64_t load_unsigned(const std::byte* at, uint32_t size) {
  switch (size) {
    case 1: return std::to_integer<uint8_t>(*at);
    case 2: {
      uint16_t value;
      std::memcpy(&value, at, sizeof value);
      return value;
    }
    case 4: {
      uint32_t value;
      std::memcpy(&value, at, sizeof value);
      return value;
    }
    case 8: return load_word(at);
  }
  return 0;
}
// load_unsigned(), sign-extended.
inline int64_t load_signed(const std::byte* at, uint32_t size) {
  uint64_t value = load_unsigned(at, size);
  switch (size) {
    case 1: return static_cast<int8_t>(value);
    case 2: return static_cast<int16_t>(value);
    case 4: return static_cast<int32_t>(value);
  }
  return static_cast<int64_t>(value);
}
// The integer field of the record or key at `base`, zero- or sign-extended by its type.
inline int64_t load_integer(const Field& field, const std::byte* base) {
  return field.is_signed ? load_signed(base + field.offset, field.size)
                         : static_cast<int64_t>(load_unsigned(base + field.offset, field.size));
}

// Keys with variants store the number of the variant in their first word: the variant's field in the key at `base`. Any
// other field is returned unchanged.
inline const Field& field_in(const Field& field, const std::byte* base) {
  if (field.variants.empty()) return field;
  return field.variants[std::min<uint64_t>(load_word(base + field.offset), field.variants.size() - 1)];
}

inline std::span<const std::byte> field_bytes(const Field& field, const std::byte* base) {
  return {base + field.offset, field.size};
}
// The text up to the first NUL, or all bytes.
inline std::string_view text_of(std::span<const std::byte> bytes) {
  auto* chars = reinterpret_cast<const char*>(bytes.data());
  return {chars, ::strnlen(chars, bytes.size())};
}

}  // namespace dscope
