// Finds the starts of x86 instructions and the exits of functions.
#include <gtest/gtest.h>

#include "arch/x86_64.h"

namespace dscope::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Starts = std::vector<uint32_t>;

CodeOutline read(const Bytes& code) { return read_x86_code(code, WordSize::Bits64); }

TEST(X86Code, StartAtTheirOffsets) {
  // endbr64; push rbp; mov rbp, rsp; vmovd xmm0, esi; pop rbp; ret
  CodeOutline outline = read({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0xc5, 0xf9, 0x6e, 0xc6, 0x5d, 0xc3});
  EXPECT_EQ(outline.starts, (Starts{0, 4, 5, 8, 12, 13}));
  ASSERT_EQ(outline.exits.size(), 1U);
  EXPECT_EQ(outline.exits[0].offset, 13U);
  EXPECT_FALSE(outline.exits[0].target);
  EXPECT_FALSE(outline.has_ambiguous_exits);
}

TEST(X86Code, IncludePrefixes) {
  // lock cmpxchg %ecx, (%rdx); rep movsb; gs mov; ret
  CodeOutline outline =
      read({0xf0, 0x0f, 0xb1, 0x0a, 0xf3, 0xa4, 0x65, 0x48, 0x8b, 0x04, 0x25, 0x10, 0, 0, 0, 0xf0, 0xff, 0x00, 0xc3});
  EXPECT_EQ(outline.starts, (Starts{0, 4, 6, 15, 18}));
  ASSERT_EQ(outline.exits.size(), 1U);
  EXPECT_EQ(outline.exits[0].offset, 18U);
}

TEST(X86Code, RejectJumpsIntoInstructions) {
  // jmp to the end; two bytes of data that look like the start of a long instruction; ret
  EXPECT_TRUE(read({0xeb, 0x02, 0x48, 0xb8, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3}).starts.empty());
  // jne over a lock prefix; lock incl (%rax); ret
  EXPECT_EQ(read({0x75, 0x01, 0xf0, 0xff, 0x00, 0xc3}).starts, (Starts{0, 2, 5}));
}

TEST(X86Code, RejectInvalidCode) {
  EXPECT_TRUE(read({0x55, 0x06, 0xc3}).starts.empty());
  EXPECT_TRUE(read({0x55, 0x48}).starts.empty());
  EXPECT_TRUE(read({}).starts.empty());
}

TEST(X86Code, JumpsOutOfTheFunctionLeaveIt) {
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

TEST(X86Code, ConditionalJumpsOutOfTheFunctionAreAmbiguous) {
  CodeOutline outline = read({0x75, 0xf3, 0xc3});
  EXPECT_TRUE(outline.has_ambiguous_exits);
  EXPECT_EQ(outline.exits.size(), 1U);
}

TEST(X86Code, RepRetAndRetWithPopAreReturns) {
  EXPECT_EQ(read({0xf3, 0xc3}).exits.size(), 1U);        // rep ret
  EXPECT_EQ(read({0xc2, 0x08, 0x00}).exits.size(), 1U);  // ret 8
}

TEST(X86Code, RegisterJumpsAreAmbiguousWithoutNotrack) {
  EXPECT_TRUE(read({0xff, 0xe0}).has_ambiguous_exits);         // jmp *%rax
  EXPECT_TRUE(read({0x3e, 0x75, 0x7f}).has_ambiguous_exits);   // jne with a hint, out of the function
  EXPECT_FALSE(read({0x3e, 0xff, 0xe0}).has_ambiguous_exits);  // notrack jmp *%rax
}

// A jump through a table would use an index register.
TEST(X86Code, JumpsThroughOnePointerLeaveTheFunction) {
  CodeOutline outline = read({0x90, 0xff, 0x25, 0x10, 0, 0, 0, 0xc3});
  EXPECT_FALSE(outline.has_ambiguous_exits);
  ASSERT_EQ(outline.exits.size(), 2U);
  EXPECT_EQ(outline.exits[0].offset, 1U);
  EXPECT_EQ(outline.exits[0].target, 7 + 0x10);
  EXPECT_TRUE(read({0xff, 0x24, 0xc7, 0xc3}).has_ambiguous_exits);  // jmp *(%rdi, %rax, 8)
}

TEST(X86Code, JumpsByOffsetTableStayInTheFunction) {
  // movslq (%rdx,%rdi,4), %rax; add %rdx, %rax; jmp *%rax; ret
  const Bytes load = {0x48, 0x63, 0x04, 0xba}, sum = {0x48, 0x01, 0xd0}, jump = {0xff, 0xe0, 0xc3};
  auto code = [](const std::vector<Bytes>& parts) {
    Bytes joined;
    for (const Bytes& part : parts) joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  };
  CodeOutline outline = read(code({load, sum, jump}));
  EXPECT_FALSE(outline.has_ambiguous_exits);
  EXPECT_TRUE(outline.indirect_jumps.empty());
  EXPECT_EQ(outline.exits.size(), 1U);
  // Without the addition it jumps to the address of another function.
  EXPECT_EQ(read(code({load, jump})).indirect_jumps, (Starts{4}));
}

TEST(X86Code, ProbeOffsetSkipsVectorSavesOfArguments) {
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

TEST(X86Code, Decode32BitCode) {
  // inc eax, which is a prefix in 64-bit code; ret
  CodeOutline outline = read_x86_code(Bytes{0x40, 0xc3}, WordSize::Bits32);
  EXPECT_EQ(outline.starts, (Starts{0, 1}));
}

}  // namespace
}  // namespace dscope::test
