// The progress line of a slow start: drawn after a delay, erased completely, at most one line wide.
#include "support/progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace dscope {
namespace {

using namespace std::chrono_literals;

class ProgressTest : public testing::Test {
 protected:
  ProgressTest() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~ProgressTest() override {
    for (int end : ends) close(end);
  }
  // Waits for output and returns it.
  std::string next_piece() const {
    std::array<char, 1000> buffer;
    ssize_t count = read(ends[0], buffer.data(), buffer.size());
    return {buffer.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))};
  }
  // Returns all remaining output. Call it after the last write.
  std::string rest() {
    EXPECT_EQ(write(ends[1], "$", 1), 1);
    return next_piece();
  }

  std::array<int, 2> ends{};
};

TEST_F(ProgressTest, ShowsProgressAndErasesIt) {
  Progress progress(ends[1], 80, "dscope", 0ms);
  progress.show("compiling");
  EXPECT_EQ(next_piece(), "\r\x1b[Kdscope: compiling...");
  progress.show("loading program", 3, 12);
  EXPECT_EQ(next_piece(), "\r\x1b[Kdscope: loading program 3 of 12...");
  progress.clear();
  EXPECT_EQ(rest(), "\r\x1b[K$");
  progress.show("attaching probe", 1, 2);
  EXPECT_EQ(next_piece(), "\r\x1b[Kdscope: attaching probe 1 of 2...");
}

TEST_F(ProgressTest, QuickStartShowsNothing) {
  {
    Progress progress(ends[1], 80, "dscope", 1h);
    progress.show("compiling");
    for (size_t i = 1; i <= 1000; ++i) progress.show("attaching probe", i, 1000);
    progress.clear();
    progress.clear();
    progress.show("compiling again");
  }
  EXPECT_EQ(rest(), "$");
}

TEST_F(ProgressTest, LongLinesAreTruncated) {
  Progress progress(ends[1], 20, "dscope", 0ms);
  progress.show("compiling the whole script");
  EXPECT_EQ(next_piece(), "\r\x1b[Kdscope: compiling t");
}

TEST_F(ProgressTest, WorksWithoutTerminal) {
  Progress progress(-1, 80, "dscope", 0ms);
  progress.show("compiling");
  progress.clear();
  show(nullptr, "compiling", 1, 2);
}

}  // namespace
}  // namespace dscope
