// SipHash-2-4: a hash of foreign bytes with a secret key, so that nobody can make bytes with the hash of others.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dscope {

uint64_t keyed_hash(const std::array<uint64_t, 2>& key, std::span<const uint8_t> bytes);

}  // namespace dscope
