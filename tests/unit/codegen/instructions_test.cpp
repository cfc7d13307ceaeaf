// Where instructions of x86-64 begin.
#include "codegen/instructions.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

TEST(Instructions, BeginAtTheirOffsets) {
  // endbr64; push rbp; mov rbp, rsp; vmovd xmm0, esi; pop rbp; ret
  const std::vector<uint8_t> code = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89,
                                     0xe5, 0xc5, 0xf9, 0x6e, 0xc6, 0x5d, 0xc3};
  EXPECT_EQ(find_instructions(code), (std::vector<uint32_t>{0, 4, 5, 8, 12, 13}));
}

TEST(Instructions, WhatIsNoneSpoilsTheFunction) {
  EXPECT_TRUE(find_instructions(std::vector<uint8_t>{0x55, 0x06, 0xc3}).empty());
  EXPECT_TRUE(find_instructions(std::vector<uint8_t>{0x55, 0x48}).empty());
  EXPECT_TRUE(find_instructions({}).empty());
}

}  // namespace
}  // namespace dscope::test
