// The io provider on files of a block device. Skipped if the build tree is on no block device.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

// Creates a file with some content and removes it at the end.
class Io : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    std::ofstream{path_} << std::string(65536, 'x');
    struct stat status{};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    device_ = status.st_dev;
    if (!std::filesystem::exists(fmt::format("/sys/dev/block/{}:{}", major(device_), minor(device_))))
      GTEST_SKIP() << path_ << " is on no block device";
    ASSERT_EQ(run({"sync", path_}).status, 0);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // The output of the script while `tasks` runs `operation` on the file. An interrupt that finds the hash bucket of a
  // variable locked drops the store. The counts are then useless, so the run is repeated.
  std::string traced(const std::string& operation, const std::string& script) {
    Outcome outcome;
    for (int i = 0; i < 5; ++i) {
      outcome = dscope({"-qn", script, "-c", fmt::format("{}/tasks {} {}", DSCOPE_TRIGGERS, operation, path_)});
      if (outcome.err.find("drop") == std::string::npos) break;
    }
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  std::string path_ =
      fmt::format("{}/io_test_{}", DSCOPE_TRIGGERS, ::testing::UnitTest::GetInstance()->current_test_info()->name());
  dev_t device_ = 0;
};

TEST_F(Io, StartAndDoneHaveByteCounts) {
  std::string out = traced("direct",
                           "long started, ended; io:::start /pid == $target && args[0]->b_flags & B_PHYS/"
                           "{ mine[arg0] = 1; started += args[0]->b_bcount; }"
                           "io:::done /mine[arg0]/ { mine[arg0] = 0; ended += args[0]->b_bcount; }"
                           "END { printf(\"%d %d\", started >= 2 * 65536, ended >= 2 * 65536); }");
  EXPECT_EQ(out, "1 1\n");
}

// The block layer's own flush requests must not appear: every flush that is done was started.
TEST_F(Io, FlushesStartAndEndOnce) {
  std::string out;
  for (int i = 0; i < 10 && out != "0\n"; ++i)  // a flush may be in flight when tracing starts
    out = dscope({"-qn",
                  "int odd; io:::start { started[arg0] = 1; }"
                  "io:::done /args[0]->b_bcount == 0/ { odd += started[arg0] != 1; started[arg0] = 0; }"
                  "END { printf(\"%d\", odd); }",
                  "-c", "dd if=/dev/zero of=" + path_ + " bs=4096 count=1 conv=fsync,notrunc status=none"})
              .out;
  EXPECT_EQ(out, "0\n");
}

// The pages of a direct transfer belong to the process, not to the file. The file comes from the waiting thread.
TEST_F(Io, DirectTransfersHaveFileNames) {
  std::string out = traced("direct",
                           "io:::start, io:::done /args[0]->b_flags & B_PHYS &&"
                           "  args[2]->fi_name == \"io_test_DirectTransfersHaveFileNames\"/"
                           "{ @[probename, args[2]->fi_pathname, args[2]->fi_fs != \"<none>\"] = count(); }"
                           "END { printa(\"%s %s %d\\n\", @); }");
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  for (const char* probe : {"start", "done"})
    EXPECT_NE(out.find(fmt::format("{} {}/io_test_DirectTransfersHaveFileNames 1\n", probe, canonical)),
              std::string::npos)
        << out;
}

// The kernel splits a transfer that exceeds the device's limit, and a kernel thread may read some of the parts. A
// request that has started may still be merged with later parts.
TEST_F(Io, SplitTransfersHaveFileNames) {
  constexpr uint64_t size = 8 << 20;
  std::ofstream{path_} << std::string(size, 'x');
  ASSERT_EQ(run({"sync", path_}).status, 0);
  std::string file = "io_test_SplitTransfersHaveFileNames";
  Outcome outcome = dscope({"-qn",
                            "int parts; long bytes; io:::done /args[2]->fi_name == \"" + file +
                                "\"/ { parts++; bytes += args[0]->b_bcount; }"
                                "END { printf(\"%d %d\", parts > 1, bytes); }",
                            "-c", "dd if=" + path_ + " of=/dev/null bs=8M count=1 iflag=direct status=none"});
  EXPECT_TRUE(outcome.out == fmt::format("1 {}\n", size) || outcome.out == fmt::format("0 {}\n", size))
      << outcome.out << outcome.err;
}

// The mount namespace of the process also has a bind mount of another directory of the file system.
TEST_F(Io, PathsIgnoreBindMounts) {
  if (run({"unshare", "-m", "true"}).status != 0) GTEST_SKIP() << "no mount namespaces";
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  std::string file = "io_test_PathsIgnoreBindMounts";
  std::string script = path_ + ".sh";
  std::string folder = path_ + ".etc";
  std::filesystem::create_directory(folder);
  std::ofstream(script) << "mount --bind /etc " << folder << "\ndd if=" << path_
                        << " of=/dev/null bs=64k count=1 iflag=direct status=none\n";
  Outcome outcome = dscope({"-qn",
                            "io:::start /args[2]->fi_name == \"" + file +
                                "\"/ { @[args[2]->fi_pathname] = count(); }"
                                " END { printa(\"%s\\n\", @); }",
                            "-c", "unshare -m sh " + script});
  std::filesystem::remove(script);
  std::filesystem::remove(folder);
  EXPECT_NE(outcome.out.find(fmt::format("{}/{}\n", canonical, file)), std::string::npos) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out.find("//"), std::string::npos) << outcome.out;
}

TEST_F(Io, DeviceMatchesFile) {
  std::string out = traced("direct",
                           "io:::start /pid == $target && !said/"
                           "{ said = 1; printf(\"%d %d %d %s %d\", args[1]->dev_major, args[1]->dev_minor,"
                           "  args[0]->b_edev, args[1]->dev_pathname, args[0]->b_error); }");
  uint64_t number = uint64_t{major(device_)} << 20 | minor(device_);
  std::string link = fmt::format("/sys/dev/block/{}:{}", major(device_), minor(device_));
  std::string name = std::filesystem::canonical(link).filename();
  EXPECT_EQ(out, fmt::format("{} {} {} /dev/{} 0\n", major(device_), minor(device_), number, name));
}

// A discard frees blocks but transfers no data.
TEST_F(Io, DiscardsTransferNoBytes) {
  Outcome loop = run({"losetup", "-f", "--show", path_});
  if (loop.status != 0) GTEST_SKIP() << "no loop devices";
  std::string device = loop.out.substr(0, loop.out.find('\n'));
  Outcome outcome =
      dscope({"-qn",
              "io:::start, io:::done /args[1]->dev_major == 7 && args[0]->b_flags & B_DISCARD/"
              "{ @[probename, args[0]->b_bcount, args[0]->b_bufsize, (args[0]->b_flags & B_READ) != 0] = count(); }",
              "-c", "blkdiscard -o 4096 -l 8192 " + device});
  EXPECT_EQ(run({"losetup", "-d", device}).status, 0);
  auto has = [&](const char* line) { return std::regex_search(outcome.out, std::regex(line)); };
  EXPECT_TRUE(has("start +0 +8192 +0 +1\n")) << outcome.out << outcome.err;
  EXPECT_TRUE(has("done +0 +[0-9]+ +0 +1\n")) << outcome.out << outcome.err;
}

// A loop device has no parent device that names a driver.
TEST_F(Io, LoopDevicesHaveDriverNames) {
  Outcome loop = run({"losetup", "-f", "--show", path_});
  if (loop.status != 0) GTEST_SKIP() << "no loop devices";
  std::string device = loop.out.substr(0, loop.out.find('\n'));
  Outcome outcome = dscope(
      {"-qn",
       "io:::start /args[1]->dev_major == 7/ { printf(\"%s %s\", args[1]->dev_name, args[1]->dev_pathname); exit(0); }",
       "-c", fmt::format("dd if={} of=/dev/null bs=4096 count=1 iflag=direct status=none", device)});
  EXPECT_EQ(run({"losetup", "-d", device}).status, 0);
  EXPECT_EQ(outcome.out, fmt::format("loop {}\n", device)) << outcome.err;
}

TEST_F(Io, CachedReadsHaveFileNames) {
  std::string out =
      traced("cached",
             "io:::start /pid == $target && args[2]->fi_name == \"io_test_CachedReadsHaveFileNames\"/"
             "{ printf(\"%s %s %s %d %d\\n\", args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_name,"
             "  args[2]->fi_offset, args[0]->b_flags & B_PAGEIO); }");
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  EXPECT_NE(out.find(fmt::format("{}/{} {} {} 0 16\n", canonical, "io_test_CachedReadsHaveFileNames", canonical,
                                 "io_test_CachedReadsHaveFileNames")),
            std::string::npos)
      << out;
}

// On a busy machine a request may complete before its thread sleeps. Nothing waits then, and the test repeats the
// transfer.
TEST_F(Io, WaitsStartAndEnd) {
  std::string out;
  for (int i = 0; i < 10 && out != "1 1\n"; ++i)
    out = traced("direct",
                 "int begun, ended;"
                 "io:::wait-start /pid == $target/ { begun++; }"
                 "io:::wait-done /pid == $target/ { ended++; }"
                 "END { printf(\"%d %d\", begun > 0, ended > 0); }");
  EXPECT_EQ(out, "1 1\n");
}

}  // namespace
}  // namespace dscope::e2e
