// The stack limit is raised while it is needed, and restored for commands that start later.
#include "support/deep_stack.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

rlim_t limit() {
  rlimit found{};
  getrlimit(RLIMIT_STACK, &found);
  return found.rlim_cur;
}

TEST(DeepStack, IsRaisedAndRestored) {
  rlim_t before = limit();
  {
    DeepStack stack;
    EXPECT_EQ(stack.is_deep(), limit() >= DeepStack::target_bytes);
    DeepStack within;
    EXPECT_EQ(within.is_deep(), stack.is_deep());
  }
  EXPECT_EQ(limit(), before);
}

}  // namespace
}  // namespace dscope
