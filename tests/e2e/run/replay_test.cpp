// --replay: a capture prints what the run printed while it was recorded, without root.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "../e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

class ReplayTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_UNLESS_TRACING(); }
  ReplayTest() {
    char path[] = "/tmp/dscope_replay_XXXXXX";
    folder_ = ::mkdtemp(path);
    ::chmod(folder_.c_str(), 0755);
  }
  ~ReplayTest() override { fs::remove_all(folder_); }

  std::string capture() const { return folder_ / "run.dcap"; }

  // Records the reads and writes of dd, and of no other process that tests may run, while `program` runs. Its output.
  std::string live(const std::string& program) {
    Outcome outcome = dscope({"-q", "--record=" + capture(), "-n", "syscall::read:,syscall::write: /pid == $target/ {}",
                              "-n", program, "-c", "dd if=/dev/zero of=/dev/null bs=1 status=none count=500"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    fs::permissions(capture(), fs::perms(0644));
    return outcome.out;
  }
  // By a user without privileges.
  std::string replayed(const std::string& program) const {
    Outcome outcome = run(
        {"setpriv", "--reuid=65534", "--clear-groups", DSCOPE_PROGRAM, "-q", "--replay=" + capture(), "-n", program},
        {});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }
  void expect_same(const std::string& program) {
    std::string expected = live(program);
    EXPECT_EQ(replayed(program), expected);
  }

  fs::path folder_;
};

TEST_F(ReplayTest, PrintsTheAggregationsOfTheLiveRun) {
  expect_same(
      "syscall::read:entry,syscall::write:return /pid == $target/ { @[execname, probefunc, probename] = count(); "
      "@sizes[arg0] = quantize(arg1); }");
}

TEST_F(ReplayTest, PrintsTheRowsOfTheLiveRun) {
  expect_same(
      "syscall::read:entry /pid == $target && arg2 == 1/ { self->t = timestamp; self->fd = arg0; } "
      "syscall::read:return /self->t/ { printf(\"%d %d %d %d %d\\n\", pid, tid, self->fd, arg1, errno); "
      "self->t = 0; }");
}

}  // namespace
}  // namespace dscope::e2e
