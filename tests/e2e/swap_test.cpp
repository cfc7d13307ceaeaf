// Swapping probes of the vminfo provider. Skipped if no swap file can be created.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/swap.h>
#include <unistd.h>

#include <filesystem>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

// Provides a small swap file while the test runs.
class Swap : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    std::filesystem::remove(path_);
    if (run({"dd", "if=/dev/zero", "of=" + path_, "bs=1M", "count=16", "status=none"}).status != 0)
      GTEST_SKIP() << "no space for " << path_;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    is_on_ = run({"mkswap", "-q", path_}).status == 0 && ::swapon(path_.c_str(), 0) == 0;
    if (!is_on_) GTEST_SKIP() << "cannot swap to " << path_;
  }
  void TearDown() override {
    if (is_on_) ::swapoff(path_.c_str());
    std::filesystem::remove(path_);
  }

  std::string path_ = DSCOPE_TRIGGERS "/swap_file";
  bool is_on_ = false;
};

TEST_F(Swap, CountsPagesSwappedOutByTheProcess) {
  Outcome outcome = dscope({"-qn",
                            "long pages, anonymous;"
                            "vminfo:::pgswapout /pid == $target/ { pages += arg0; }"
                            "vminfo:::anonpgout /pid == $target/ { anonymous += arg0; }"
                            "END { printf(\"%d %d\", pages >= 64, anonymous >= 64); }",
                            "-c", DSCOPE_TRIGGERS "/tasks pageout 64"});
  EXPECT_EQ(outcome.out, "1 1\n") << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
