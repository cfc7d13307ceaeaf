// Parses argument operands of static probes.
#include "runtime/providers/process/usdt_operand.h"

#include <gtest/gtest.h>

namespace dscope::test {
namespace {

ArgSource one(std::string_view text) {
  auto sources = read_usdt_operands(x86_64, text);
  EXPECT_EQ(sources.size(), 1u) << text;
  return sources.empty() ? ArgSource{} : sources[0];
}

ArgSource in_register(int64_t offset, uint32_t size, bool is_signed) {
  return {.kind = ArgSourceKind::Register, .offset = offset, .size = size, .is_signed = is_signed};
}

ArgSource in_memory(uint32_t base, int64_t offset, uint32_t size, bool is_signed) {
  return {.kind = ArgSourceKind::UserMemory, .offset = offset, .size = size, .is_signed = is_signed, .base = base};
}

// gcc -masm=intel writes operands in Intel syntax.
TEST(UsdtOperand, ParsesIntelSyntax) {
  EXPECT_EQ(one("-4@r13d"), in_register(16, 4, true));
  EXPECT_EQ(one("8@rbp"), in_register(32, 8, false));
  EXPECT_EQ(one("-4@-12").offset, -12);
  EXPECT_EQ(one("-4@7").kind, ArgSourceKind::Constant);
  EXPECT_EQ(one("-4@DWORD PTR [rbp-20]"), in_memory(32, -20, 4, true));
  EXPECT_EQ(one("8@QWORD PTR 16[rax]"), in_memory(80, 16, 8, false));
  ArgSource indexed = in_memory(80, 8, 4, false);
  indexed.index = 88;
  indexed.scale = 4;
  EXPECT_EQ(one("4@DWORD PTR [rax+rcx*4+8]"), indexed);
  EXPECT_EQ(one("4@DWORD PTR counter[rip]").kind, ArgSourceKind::Zero);
  EXPECT_EQ(read_usdt_operands(x86_64, "-4@DWORD PTR [rbp-20] 8@rax 1@BYTE PTR [rsp]").size(), 3u);
}

TEST(UsdtOperand, ParsesRegistersOfEveryWidth) {
  EXPECT_EQ(one("8@%rax"), in_register(80, 8, false));
  EXPECT_EQ(one("-4@%edi"), in_register(112, 4, true));
  EXPECT_EQ(one("2@%si"), in_register(104, 2, false));
  EXPECT_EQ(one("1@%sil"), in_register(104, 1, false));
  EXPECT_EQ(one("1@%ah"), in_register(81, 1, false));
  EXPECT_EQ(one("1@%bl"), in_register(40, 1, false));
  EXPECT_EQ(one("-4@%r12d"), in_register(24, 4, true));
  EXPECT_EQ(one("1@%r9b"), in_register(64, 1, false));
  EXPECT_EQ(one("%rbp"), in_register(32, 8, false));
}

TEST(UsdtOperand, ParsesConstants) {
  EXPECT_EQ(one("-4@$-1"), (ArgSource{.kind = ArgSourceKind::Constant, .offset = -1, .size = 4, .is_signed = true}));
  EXPECT_EQ(one("8@$0x10"), (ArgSource{.kind = ArgSourceKind::Constant, .offset = 16, .size = 8}));
  EXPECT_EQ(one("1@$-1").offset, 255);
  EXPECT_EQ(one("-1@$255").offset, -1);
  EXPECT_EQ(one("4@$-2").offset, 0xfffffffe);
  EXPECT_EQ(one("8@$-1").offset, -1);
}

TEST(UsdtOperand, ParsesMemoryOperands) {
  EXPECT_EQ(one("8@-80(%rbx)"), (ArgSource{.kind = ArgSourceKind::UserMemory, .offset = -80, .size = 8, .base = 40}));
  EXPECT_EQ(one("4@(%rsp)"), (ArgSource{.kind = ArgSourceKind::UserMemory, .size = 4, .base = 152}));
  EXPECT_EQ(
      one("8@16(%rax,%rcx,4)"),
      (ArgSource{.kind = ArgSourceKind::UserMemory, .index = 88, .offset = 16, .size = 8, .base = 80, .scale = 4}));
  EXPECT_EQ(one("8@(%rax,%rcx)"),
            (ArgSource{.kind = ArgSourceKind::UserMemory, .index = 88, .size = 8, .base = 80, .scale = 1}));
}

// Without a base register, the index register is also the base.
TEST(UsdtOperand, ParsesMemoryWithoutBase) {
  EXPECT_EQ(
      one("8@16(,%rcx,8)"),
      (ArgSource{.kind = ArgSourceKind::UserMemory, .index = 88, .offset = 16, .size = 8, .base = 88, .scale = 7}));
  EXPECT_EQ(one("8@(,%rcx,1)"), (ArgSource{.kind = ArgSourceKind::UserMemory, .size = 8, .base = 88}));
}

TEST(UsdtOperand, UnsupportedOperandsAreZero) {
  for (const char* text :
       {"8@symbol(%rip)", "8@16(%rip)", "8@%xmm0", "3@%rax", "8@", "8@(", "8@(%rax", "8@$", "8@x(%rax)"})
    EXPECT_EQ(one(text).kind, ArgSourceKind::Zero) << text;
  EXPECT_EQ(one("-2@nosuch").size, 2u);
}

ArgSource one_of_aarch64(std::string_view text) {
  auto sources = read_usdt_operands(aarch64, text);
  EXPECT_EQ(sources.size(), 1u) << text;
  return sources.empty() ? ArgSource{} : sources[0];
}

TEST(UsdtOperand, ParsesRegistersOfAarch64) {
  EXPECT_EQ(one_of_aarch64("8@x0"), in_register(0, 8, false));
  EXPECT_EQ(one_of_aarch64("-4@w19"), in_register(152, 4, true));
  EXPECT_EQ(one_of_aarch64("8@x30"), in_register(240, 8, false));
  EXPECT_EQ(one_of_aarch64("8@sp"), in_register(248, 8, false));
  EXPECT_EQ(one_of_aarch64("4@wzr"), (ArgSource{.kind = ArgSourceKind::Constant, .size = 4}));
  EXPECT_EQ(one_of_aarch64("-4@-7").offset, -7);
  EXPECT_EQ(one_of_aarch64("8@#16").offset, 16);
}

TEST(UsdtOperand, ParsesMemoryOfAarch64) {
  EXPECT_EQ(one_of_aarch64("8@[x1]"), in_memory(8, 0, 8, false));
  EXPECT_EQ(one_of_aarch64("-4@[sp, 12]"), in_memory(248, 12, 4, true));
  EXPECT_EQ(one_of_aarch64("4@[x29, #-20]"), in_memory(232, -20, 4, false));
  ArgSource indexed = in_memory(0, 0, 8, false);
  indexed.index = 16;
  indexed.scale = 1;
  EXPECT_EQ(one_of_aarch64("8@[x0, x2]"), indexed);
  indexed.scale = 8;
  EXPECT_EQ(one_of_aarch64("8@[x0,x2,lsl 3]"), indexed);
  EXPECT_EQ(read_usdt_operands(aarch64, "8@x0 -4@[sp, 12] 8@[x0, x2, lsl #3] 4@5").size(), 4u);
}

TEST(UsdtOperand, UnsupportedOperandsOfAarch64AreZero) {
  for (const char* text : {"8@d0", "8@x31", "8@[", "8@[]", "8@[w0]", "8@[x0, w1, sxtw 3]", "8@[x0, x1, lsl 9]",
                           "8@[x0, #:lo12:counter]", "8@[x0, x1, lsl 3, 4]", "8@%rax", "8@counter"})
    EXPECT_EQ(one_of_aarch64(text).kind, ArgSourceKind::Zero) << text;
}

TEST(UsdtOperand, ParsesOperandLists) {
  EXPECT_TRUE(read_usdt_operands(x86_64, "").empty());
  EXPECT_EQ(read_usdt_operands(x86_64, "8@%rdi  -4@$1 1@%al").size(), 3u);
}

}  // namespace
}  // namespace dscope::test
