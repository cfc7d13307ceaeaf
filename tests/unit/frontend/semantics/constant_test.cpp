// Constant folding (d-language.md 3.6): operators keep 64 bits; casts, inlines and enumerators narrow.
#include "tests/unit/frontend/check/check_text.h"

namespace dscope {
namespace {

// The constant value of `expression` as a signed number. Fails the test if the expression is not constant.
int64_t fold(const std::string& expression, const std::string& declarations = "") {
  CheckedText checked(declarations + " BEGIN { x = " + expression + "; }");
  EXPECT_FALSE(checked.failed()) << checked.rendered();
  if (checked.failed()) return -12345;
  auto constant = checked.value().constant;
  EXPECT_TRUE(constant.has_value()) << expression;
  return constant ? static_cast<int64_t>(*constant) : -12345;
}

bool is_constant(const std::string& expression) {
  CheckedText checked("BEGIN { x = " + expression + "; }");
  return !checked.failed() && checked.value().constant.has_value();
}

TEST(Constants, FoldArithmetic) {
  EXPECT_EQ(fold("1 + 2 * 3"), 7);
  EXPECT_EQ(fold("-7 / 2"), -3);
  EXPECT_EQ(fold("-7 % 2"), -1);
  EXPECT_EQ(fold("~0"), -1);
  EXPECT_EQ(fold("!3"), 0);
}

TEST(Constants, OperatorsKeep64Bits) {
  EXPECT_EQ(fold("2147483647 + 1"), 2147483648LL);
  EXPECT_EQ(fold("0xffffffff + 1"), 0x100000000LL);
  EXPECT_EQ(fold("0xffffffff + 1 == 0"), 0);
  EXPECT_EQ(fold("~0u == 0xffffffff"), 0);
  EXPECT_EQ(fold("-(-2147483647 - 1)"), 2147483648LL);
  EXPECT_EQ(fold("(unsigned char)254 + (signed char)3"), 257);
  EXPECT_EQ(fold("1 ? 2147483647 + 1 : 0"), 2147483648LL);
  EXPECT_EQ(fold("2147483647 + 1 && 1"), 1);
  EXPECT_EQ(fold("100000 * 100000 / 7"), 1428571428);
  EXPECT_EQ(fold("-9223372036854775807 - 1"), INT64_MIN);
  EXPECT_EQ(fold("(-9223372036854775807 - 1) / -1"), INT64_MIN);
}

TEST(Constants, AreNarrowedByConversions) {
  EXPECT_EQ(fold("(char)200"), -56);
  EXPECT_EQ(fold("(int)(2147483647 + 1)"), -2147483648LL);
  EXPECT_EQ(fold("(uint32_t)~0u == 0xffffffff"), 1);
  EXPECT_EQ(fold("X", "inline int X = 2147483647 + 1;"), -2147483648LL);
}

TEST(Constants, FoldShifts) {
  EXPECT_EQ(fold("1 << 65"), 2);
  EXPECT_EQ(fold("1 << 31"), 2147483648LL);
  EXPECT_EQ(fold("1 << 32"), 0x100000000LL);
  EXPECT_EQ(fold("1 << -6"), int64_t{1} << 58);
  EXPECT_EQ(fold("(1 << 63) - 1"), INT64_MAX);
  EXPECT_EQ(fold("-8 >> 1"), -4);
  EXPECT_EQ(fold("0xfffffff8 >> 1"), 0x7ffffffc);
  EXPECT_EQ(fold("(0u - 1) >> 1"), INT64_MAX);
}

TEST(Constants, ComparisonsUseTheCommonSign) {
  EXPECT_EQ(fold("-1 < 1"), 1);
  EXPECT_EQ(fold("-1 < 1u"), 0);
  EXPECT_EQ(fold("-1L < 1u"), 1);
  EXPECT_EQ(fold("3 >= 3"), 1);
}

TEST(Constants, FoldLogicalOperators) {
  EXPECT_EQ(fold("1 && 2"), 1);
  EXPECT_EQ(fold("1 ^^ 2"), 0);
  EXPECT_EQ(fold("0 && pid"), 0);
  EXPECT_EQ(fold("1 || pid"), 1);
  EXPECT_FALSE(is_constant("1 && pid"));
  EXPECT_FALSE(is_constant("0 ^^ pid"));
}

TEST(Constants, TernaryChoosesItsBranch) {
  EXPECT_EQ(fold("1 ? 2 : 3"), 2);
  EXPECT_EQ(fold("0 ? pid : 3"), 3);
  EXPECT_FALSE(is_constant("1 ? pid : 3"));
  EXPECT_FALSE(is_constant("pid ? 2 : 3"));
}

TEST(Constants, FoldSizesAndOffsets) {
  EXPECT_EQ(fold("sizeof(int)"), 4);
  EXPECT_EQ(fold("sizeof(string)"), 256);
  EXPECT_EQ(fold("sizeof(\"abc\")"), 4);
  EXPECT_EQ(fold("sizeof(execname)"), 256);
  EXPECT_EQ(fold("sizeof('c')"), 4);
  EXPECT_EQ(fold("sizeof(struct task_struct)"), 3200);
  EXPECT_EQ(fold("sizeof(curthread->comm)"), 16);
  EXPECT_EQ(fold("sizeof pid + 1"), 5);
  EXPECT_EQ(fold("offsetof(struct task_struct, pid)"), 136);
  EXPECT_EQ(fold("offsetof(struct task_struct, rcu_users)"), 296);
}

TEST(Constants, FoldInlinesAndEnumerators) {
  EXPECT_EQ(fold("X + 1", "inline int X = 4;"), 5);
  EXPECT_EQ(fold("X", "inline char X = 300;"), 44);
  EXPECT_EQ(fold("B", "enum e { A = 5, B };"), 6);
  EXPECT_EQ(fold("B", "enum e { A = 5, B = A << 2 };"), 20);
  EXPECT_EQ(fold("NULL"), 0);
  EXPECT_EQ(fold("Y", "inline int X = 4; inline long Y = X ? X * 2 : 0;"), 8);
  EXPECT_EQ(fold("sizeof(a)", "inline int N = 3; int a[N];"), 12);
}

TEST(Constants, FoldCasts) {
  EXPECT_EQ(fold("(uint8_t)-1"), 255);
  EXPECT_EQ(fold("(int64_t)0xffffffffu"), 0xffffffffLL);
  EXPECT_EQ(fold("(_t)3", "typedef short _t;"), 3);
}

TEST(Constants, StopAtVariables) {
  EXPECT_FALSE(is_constant("pid + 1"));
  EXPECT_FALSE(is_constant("(1, 2)"));
  EXPECT_FALSE(is_constant("(char *)0"));
}

}  // namespace
}  // namespace dscope
