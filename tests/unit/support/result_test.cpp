// Result and Error: propagation of a failure and its context.
#include "support/result.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(Error::make("{} is odd", value).hint("use an even number").status(2));
  return value / 2;
}
Result<int> quarter(int value) {
  DS_TRY(int first, half(value));
  DS_TRY(int second, half(first));
  return second;
}
Result<> accept(int value) {
  DS_TRY_VOID(quarter(value));
  return {};
}

TEST(Result, TryBindsOrReturns) {
  EXPECT_EQ(quarter(12), 3);
  ASSERT_FALSE(quarter(6));
  EXPECT_EQ(quarter(6).error().message(), "3 is odd");
  EXPECT_TRUE(accept(8));
  EXPECT_FALSE(accept(7));
}

Result<bool> is_quartered(bool is_needed) {
  if (is_needed) DS_TRY_VOID(quarter(8));
  else return false;
  return true;
}

TEST(Result, TryVoidIsSafeInIfElse) {
  EXPECT_EQ(is_quartered(true), true);
  EXPECT_EQ(is_quartered(false), false);
}

TEST(Result, ErrorsKeepHintStatusAndContext) {
  Error error = std::move(half(3).error()).with_context("cannot halve");
  EXPECT_EQ(error.message(), "cannot halve: 3 is odd");
  EXPECT_EQ(error.hint_text(), "use an even number");
  EXPECT_EQ(error.exit_status(), 2);
  Error system = Error::from_errno(ENOENT, "cannot open {}", "x");
  EXPECT_EQ(system.message(), "cannot open x: No such file or directory");
  EXPECT_EQ(system.error_number(), ENOENT);
  EXPECT_EQ(system.exit_status(), 1);
}

}  // namespace
}  // namespace dscope
