// Rows of a thread as slices.
#include "pictures/timeline/thread_slices.h"

#include <gtest/gtest.h>

#include "pictures/timeline/probe_pairs.h"

namespace dscope {
namespace {

using Role = PairedProbe::Role;

class ThreadSlicesTest : public testing::Test {
 protected:
  ThreadSlicesTest() {
    pairs_.add({{"pid1", "a.out", "f", "entry"},
                {"pid1", "a.out", "f", "return"},
                {"pid1", "a.out", "g", "entry"},
                {"pid1", "a.out", "g", "return"},
                {"vm", "libvm.so", "run", "gc-start"},
                {"vm", "libvm.so", "run", "gc-done"},
                {"syscall", "", "read", "entry"},
                {"syscall", "", "read", "return"},
                {"syscall", "", "write", "entry"},
                {"syscall", "", "write", "return"}});
  }

  // "begin", "end", "instant", preceded by the number of slices that end before it.
  std::string add(uint32_t probe) {
    ThreadSlices::Step step = slices_.add(pairs_.at(probe));
    std::string text = step.closed != 0 ? std::to_string(step.closed) + " " : "";
    return text + (step.role == Role::Begin ? "begin" : step.role == Role::End ? "end" : "instant");
  }

  static constexpr uint32_t f_entry = 0, f_return = 1, g_entry = 2, gc_start = 4, gc_done = 5, read_entry = 6,
                            write_entry = 8, write_return = 9;
  ProbePairs pairs_;
  ThreadSlices slices_;
};

TEST_F(ThreadSlicesTest, CallsMayBeRecursive) {
  EXPECT_EQ(add(f_entry), "begin");
  EXPECT_EQ(add(f_entry), "begin");
  EXPECT_EQ(add(f_return), "end");
  EXPECT_EQ(add(f_return), "end");
  EXPECT_EQ(slices_.open_count(), 0U);
}

TEST_F(ThreadSlicesTest, AnEndWithoutABeginIsAnInstant) {
  EXPECT_EQ(add(f_return), "instant");
  EXPECT_EQ(add(g_entry), "begin");
  EXPECT_EQ(add(f_return), "instant");
  EXPECT_EQ(slices_.open_count(), 1U);
}

TEST_F(ThreadSlicesTest, AnEndClosesTheSlicesWithinIt) {
  add(f_entry);
  add(g_entry);
  EXPECT_EQ(add(f_return), "1 end");
  EXPECT_EQ(slices_.open_count(), 0U);
}

TEST_F(ThreadSlicesTest, AMissingEndOfAnIntervalIsTheNextBegin) {
  add(gc_start);
  EXPECT_EQ(add(gc_start), "1 begin");
  EXPECT_EQ(add(gc_done), "end");
}

TEST_F(ThreadSlicesTest, AThreadIsInOneSystemCall) {
  add(f_entry);
  add(read_entry);
  EXPECT_EQ(add(write_entry), "1 begin");
  EXPECT_EQ(add(write_return), "end");
  EXPECT_EQ(slices_.open_count(), 1U);
}

TEST_F(ThreadSlicesTest, LimitsTheDepth) {
  for (size_t i = 0; i < ThreadSlices::max_open; ++i) ASSERT_EQ(add(f_entry), "begin");
  EXPECT_EQ(add(f_entry), "instant");
}

}  // namespace
}  // namespace dscope
