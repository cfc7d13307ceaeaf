// The support library's bitcode is embedded in the program.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "codegen/bpf/support_bitcode.h"

namespace {

TEST(SupportBitcode, IsEmbeddedAndAligned) {
  EXPECT_GT(ds_support_bitcode_size, 1000u);
  EXPECT_EQ(std::memcmp(ds_support_bitcode, "BC\xc0\xde", 4), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(ds_support_bitcode) % 16, 0u);
}

}  // namespace
