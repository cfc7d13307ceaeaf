// Raw-byte dump (consumer-and-actions.md 3.3): traced objects, byte keys, everything under option rawbytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dscope {

// Nothing at all for no bytes.
void append_raw_dump(std::string& out, std::span<const std::byte> bytes);

}  // namespace dscope
