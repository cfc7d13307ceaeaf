// SipHash-2-4: a hash that nobody can compute or invert without its key. Nobody can make bytes with the hash of others.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dscope {

uint64_t keyed_hash(const std::array<uint64_t, 2>& key, std::string_view bytes);

}  // namespace dscope
