// Finds the starts of x86 instructions and the exits of functions.
#include "codegen/core/instructions.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Starts = std::vector<uint32_t>;

CodeOutline read(const Bytes& code) { return read_code(x86_64, code, WordSize::Bits64); }

TEST(Instructions, StartAtTheirOffsets) {
  // endbr64; push rbp; mov rbp, rsp; vmovd xmm0, esi; pop rbp; ret
  CodeOutline outline = read({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0xc5, 0xf9, 0x6e, 0xc6, 0x5d, 0xc3});
  EXPECT_EQ(outline.starts, (Starts{0, 4, 5, 8, 12, 13}));
  ASSERT_EQ(outline.exits.size(), 1U);
  EXPECT_EQ(outline.exits[0].offset, 13U);
  EXPECT_FALSE(outline.exits[0].target);
  EXPECT_FALSE(outline.has_ambiguous_exits);
}

TEST(Instructions, IncludePrefixes) {
  // lock cmpxchg %ecx, (%rdx); rep movsb; gs mov; ret
  CodeOutline outline =
      read({0xf0, 0x0f, 0xb1, 0x0a, 0xf3, 0xa4, 0x65, 0x48, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0, 0xf0, 0xff, 0x00, 0xc3});
  EXPECT_EQ(outline.starts, (Starts{0, 4, 6, 15, 18}));
  ASSERT_EQ(outline.exits.size(), 1U);
  EXPECT_EQ(outline.exits[0].offset, 18U);
}

TEST(Instructions, RejectJumpsIntoInstructions) {
  // jmp to the end; two bytes of data that look like the start of a long instruction; ret
  EXPECT_TRUE(read({0xeb, 0x02, 0x48, 0xb8, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3}).starts.empty());
  // jne over a lock prefix; lock incl (%rax); ret
  EXPECT_EQ(read({0x75, 0x01, 0xf0, 0xff, 0x00, 0xc3}).starts, (Starts{0, 2, 5}));
}

TEST(Instructions, RejectInvalidCode) {
  EXPECT_TRUE(read({0x55, 0x06, 0xc3}).starts.empty());
  EXPECT_TRUE(read({0x55, 0x48}).starts.empty());
  EXPECT_TRUE(read({}).starts.empty());
}

TEST(Instructions, JumpsOutOfTheFunctionLeaveIt) {
  // je +1 (to the nop after ret); ret; nop; jmp to 0x104; jmp to -2
  CodeOutline outline = read({0x74, 0x01, 0xc3, 0x90, 0xe9, 0xfb, 0x00, 0x00, 0x00, 0xeb, 0xf3});
  ASSERT_EQ(outline.exits.size(), 3U);
  EXPECT_FALSE(outline.exits[0].target);
  EXPECT_EQ(outline.exits[1].offset, 4U);
  EXPECT_EQ(outline.exits[1].target, 0x104);
  EXPECT_EQ(outline.exits[2].offset, 9U);
  EXPECT_EQ(outline.exits[2].target, -2);
  EXPECT_FALSE(outline.has_ambiguous_exits);
}

TEST(Instructions, ConditionalJumpsOutOfTheFunctionAreAmbiguous) {
  CodeOutline outline = read({0x75, 0xf3, 0xc3});
  EXPECT_TRUE(outline.has_ambiguous_exits);
  EXPECT_EQ(outline.exits.size(), 1U);
}

TEST(Instructions, RepRetAndRetWithPopAreReturns) {
  EXPECT_EQ(read({0xf3, 0xc3}).exits.size(), 1U);        // rep ret
  EXPECT_EQ(read({0xc2, 0x08, 0x00}).exits.size(), 1U);  // ret 8
}

TEST(Instructions, RegisterJumpsAreAmbiguousWithoutNotrack) {
  EXPECT_TRUE(read({0xff, 0xe0}).has_ambiguous_exits);         // jmp *%rax
  EXPECT_FALSE(read({0x3e, 0xff, 0xe0}).has_ambiguous_exits);  // notrack jmp *%rax
}

// A jump through a table would use an index register.
TEST(Instructions, JumpsThroughOnePointerLeaveTheFunction) {
  CodeOutline outline = read({0x90, 0xff, 0x25, 0x10, 0, 0, 0, 0xc3});
  EXPECT_FALSE(outline.has_ambiguous_exits);
  ASSERT_EQ(outline.exits.size(), 2U);
  EXPECT_EQ(outline.exits[0].offset, 1U);
  EXPECT_EQ(outline.exits[0].target, 7 + 0x10);
  EXPECT_TRUE(read({0xff, 0x24, 0xc7, 0xc3}).has_ambiguous_exits);  // jmp *(%rdi, %rax, 8)
}

TEST(Instructions, JumpsByOffsetTableStayInTheFunction) {
  // movslq (%rdx,%rdi,4), %rax; add %rdx, %rax; jmp *%rax; ret
  const Bytes load = {0x48, 0x63, 0x04, 0xba}, sum = {0x48, 0x01, 0xd0}, jump = {0xff, 0xe0, 0xc3};
  auto code = [](const std::vector<Bytes>& parts) {
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  CodeOutline outline = read(code({load, sum, jump}));
  EXPECT_FALSE(outline.has_ambiguous_exits);
  EXPECT_TRUE(outline.indirect_jumps.empty());
  EXPECT_EQ(outline.exits.size(), 1U);
  // Without the addition it jumps to the address of another function.
  EXPECT_EQ(read(code({load, jump})).indirect_jumps, (Starts{4}));
}

TEST(Instructions, ProbeOffsetSkipsVectorSavesOfArguments) {
  const Bytes to_vector = {0x62, 0xe2, 0x7d, 0x08, 0x7c, 0xc7};   // vpbroadcastd %edi, %xmm16
  const Bytes to_general = {0x62, 0xe1, 0x7d, 0x08, 0x7e, 0xc7};  // vmovd %xmm16, %edi
  const Bytes to_result = {0x62, 0xe1, 0x7d, 0x08, 0x7e, 0xc0};   // vmovd %xmm16, %eax
  auto beginning = [](std::initializer_list<Bytes> parts) {
    Bytes code;
    for (const Bytes& part : parts) code.insert(code.end(), part.begin(), part.end());
    return read(code).probe_offset;
  };
  const Bytes mark = {0xf3, 0x0f, 0x1e, 0xfa}, leave = {0xc3};
  EXPECT_EQ(beginning({leave}), 0U);
  EXPECT_EQ(beginning({mark, leave}), 4U);
  EXPECT_EQ(beginning({mark, to_vector, leave}), 10U);
  EXPECT_EQ(beginning({to_vector, to_vector, to_general, leave}), 12U);
  EXPECT_EQ(beginning({to_vector, to_result, leave}), 12U);
  EXPECT_EQ(beginning({to_general, leave}), 0U);
  EXPECT_EQ(beginning({{0xc5, 0xf8, 0x57, 0xc0}, leave}), 4U);  // vxorps %xmm0, %xmm0, %xmm0
  EXPECT_EQ(beginning({to_vector}), 0U);
  // If a loop jumped back to the probe, each iteration would look like a call.
  EXPECT_EQ(beginning({to_vector, {0x75, 0xfe}, leave}), 0U);  // jne to itself
  EXPECT_EQ(beginning({to_vector, {0x90, 0x75, 0xfd}, leave}), 0U);
}

using Words = std::vector<uint32_t>;

CodeOutline read_aarch64(const Words& words) {
  Bytes code;
  for (uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) code.push_back(static_cast<uint8_t>(word >> shift));
  return read_code(aarch64, code, WordSize::Bits64);
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
  EXPECT_TRUE(read_code(aarch64, Bytes{0xc0, 0x03, 0x5f}, WordSize::Bits64).starts.empty());
  EXPECT_TRUE(read_code(aarch64, Bytes{0x70, 0x47, 0x70, 0x47}, WordSize::Bits32).starts.empty());
}

TEST(Instructions, Decode32BitCode) {
  // inc eax, which is a prefix in 64-bit code; ret
  CodeOutline outline = read_code(x86_64, Bytes{0x40, 0xc3}, WordSize::Bits32);
  EXPECT_EQ(outline.starts, (Starts{0, 1}));
}

}  // namespace
}  // namespace dscope::test
