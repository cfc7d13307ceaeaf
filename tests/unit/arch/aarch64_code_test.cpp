// Finds the exits of AArch64 functions.
#include <gtest/gtest.h>

#include "arch/aarch64.h"

namespace dscope::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Starts = std::vector<uint32_t>;
using Words = std::vector<uint32_t>;

CodeOutline read_aarch64(const Words& words) {
  Bytes code;
  for (uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) code.push_back(static_cast<uint8_t>(word >> shift));
  return read_aarch64_code(code, WordSize::Bits64);
}

TEST(Aarch64Instructions, ReturnsLeaveTheFunction) {
  // stp x29, x30, [sp, #-16]!; cbz w0, +8 (to the mov); ret; mov x0, #1; ret x1
  CodeOutline outline = read_aarch64({0xa9bf7bfd, 0x34000040, 0xd65f03c0, 0xd2800020, 0xd65f0020});
  EXPECT_EQ(outline.starts, (Starts{0, 4, 8, 12, 16}));
  ASSERT_EQ(outline.exits.size(), 2U);
  EXPECT_EQ(outline.exits[0].offset, 8U);
  EXPECT_FALSE(outline.exits[0].target);
  EXPECT_EQ(outline.exits[1].offset, 16U);
  EXPECT_FALSE(outline.has_ambiguous_exits);
  EXPECT_EQ(outline.probe_offset, 0U);
}

TEST(Aarch64Instructions, JumpsOutOfTheFunctionLeaveIt) {
  // b +8 (the ret); b -16; ret
  CodeOutline outline = read_aarch64({0x14000002, 0x17fffffc, 0xd65f03c0});
  ASSERT_EQ(outline.exits.size(), 2U);
  EXPECT_EQ(outline.exits[0].offset, 4U);
  EXPECT_EQ(outline.exits[0].target, -12);
  EXPECT_FALSE(outline.exits[1].target);
  EXPECT_FALSE(outline.has_ambiguous_exits);
  EXPECT_TRUE(read_aarch64({0x94000040, 0xd65f03c0}).exits.size() == 1U);  // bl is a call
}

TEST(Aarch64Instructions, ConditionalAndSignedExitsAreAmbiguous) {
  EXPECT_TRUE(read_aarch64({0x54000100, 0xd65f03c0}).has_ambiguous_exits);  // b.eq +32
  EXPECT_TRUE(read_aarch64({0xb5ffffc0, 0xd65f03c0}).has_ambiguous_exits);  // cbnz x0, -8
  EXPECT_TRUE(read_aarch64({0x37000100, 0xd65f03c0}).has_ambiguous_exits);  // tbnz w0, #0, +32
  EXPECT_TRUE(read_aarch64({0xd65f0bff}).has_ambiguous_exits);              // retaa: no uprobe can be on it
}

TEST(Aarch64Instructions, JumpsThroughRegisters) {
  // adrp x16, 0; ldr x17, [x16]; br x17
  CodeOutline outline = read_aarch64({0x90000010, 0xf9400211, 0xd61f0220});
  EXPECT_TRUE(outline.has_ambiguous_exits);
  EXPECT_EQ(outline.indirect_jumps, (Starts{8}));
  // A switch statement. GCC: adr x1, +8; add x0, x1, w0, sxth #2; br x0; ret
  outline = read_aarch64({0x10000041, 0x8b20a820, 0xd61f0000, 0xd65f03c0});
  EXPECT_FALSE(outline.has_ambiguous_exits);
  EXPECT_EQ(outline.exits.size(), 1U);
  // Clang: add x10, x10, x11, lsl #2; br x10
  EXPECT_FALSE(read_aarch64({0x8b0b094a, 0xd61f0140}).has_ambiguous_exits);
}

TEST(Aarch64Instructions, RejectData) {
  EXPECT_TRUE(read_aarch64({0xd65f03c0, 0x00000007}).starts.empty());
  EXPECT_TRUE(read_aarch64_code(Bytes{0xc0, 0x03, 0x5f}, WordSize::Bits64).starts.empty());
  EXPECT_TRUE(read_aarch64_code(Bytes{0x70, 0x47, 0x70, 0x47}, WordSize::Bits32).starts.empty());
}

}  // namespace
}  // namespace dscope::test
