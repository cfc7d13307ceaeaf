#include "capture/keyed_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace dscope::test {
namespace {

// The test vectors of the authors of SipHash: the key is 00 01 ... 0f, the message 00 01 ... of that length.
TEST(KeyedHash, IsSipHash) {
  constexpr std::array<uint64_t, 2> key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string bytes;
  EXPECT_EQ(keyed_hash(key, bytes), 0x726fdb47dd0e0e31U);
  for (char i = 0; i < 15; ++i) bytes += i;
  EXPECT_EQ(keyed_hash(key, bytes), 0xa129ca6149be45e5U);
}

}  // namespace
}  // namespace dscope::test
