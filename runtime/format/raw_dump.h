// Raw-byte dump (consumer-and-actions.md 3.3): traced objects, byte keys, everything under option rawbytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "catalog/option_values.h"

namespace dscope {

// Appends the dump; nothing if `bytes` is empty.
void append_raw_dump(std::string& out, std::span<const std::byte> bytes);

// True if opaque bytes can be printed as text: printable up to a NUL that is not the first byte, only NULs after it.
bool looks_like_text(std::span<const std::byte> bytes);

// Appends the dump of a string, zero-padded to strsize + 1 bytes, however short the recorded one is.
void append_raw_string(std::string& out, std::string_view text, const OptionValues& options);

}  // namespace dscope
