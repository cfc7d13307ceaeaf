// Raw-byte dump (consumer-and-actions.md 3.3): traced objects, byte keys, everything under option rawbytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "src/catalog/option_values.h"

namespace dscope {

// Nothing at all for no bytes.
void append_raw_dump(std::string& out, std::span<const std::byte> bytes);

// Whether opaque bytes can be shown as text: printable up to a NUL that is not the first byte, only NULs after it.
bool looks_like_text(std::span<const std::byte> bytes);

// A string fills its slot of strsize + 1 bytes, however short its record was kept.
void append_raw_string(std::string& out, std::string_view text, const OptionValues& options);

}  // namespace dscope
