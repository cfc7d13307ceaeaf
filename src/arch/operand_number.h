// Numbers in the operands of static probes.
#pragma once

#include <optional>
#include <string_view>

#include "support/text/parse_integer.h"

namespace dscope {

// Parses "-20" or "0x10".
template <typename T>
std::optional<T> operand_number(std::string_view text) {
  bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  auto value = parse_integer<T>(text, base);
  if (value && is_negative) value = static_cast<T>(-*value);
  return value;
}

}  // namespace dscope
