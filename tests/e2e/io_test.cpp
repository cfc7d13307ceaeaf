// The io provider against files on a block device; skipped where there is none below the build tree.
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

// A file with some content, gone at the end.
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

  // What the script prints while `tasks` does `what` with the file. A store that an interrupt finds its table locked
  // for is lost, and counted: then the numbers say nothing, and it is done again.
  std::string traced(const std::string& what, const std::string& script) {
    Outcome outcome;
    for (int i = 0; i < 5; ++i) {
      outcome = dscope({"-qn", script, "-c", fmt::format("{}/tasks {} {}", DSCOPE_TRIGGERS, what, path_)});
      if (outcome.err.find("drop") == std::string::npos) break;
    }
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  std::string path_ =
      fmt::format("{}/io_test_{}", DSCOPE_TRIGGERS, ::testing::UnitTest::GetInstance()->current_test_info()->name());
  dev_t device_ = 0;
};

TEST_F(Io, EveryRequestStartsAndEndsWithItsBytes) {
  std::string out = traced("direct",
                           "long started, ended; io:::start /pid == $target && args[0]->b_flags & B_PHYS/"
                           "{ mine[arg0] = 1; started += args[0]->b_bcount; }"
                           "io:::done /mine[arg0]/ { mine[arg0] = 0; ended += args[0]->b_bcount; }"
                           "END { printf(\"%d %d\", started >= 2 * 65536, ended >= 2 * 65536); }");
  EXPECT_EQ(out, "1 1\n");
}

// The queue's own request to flush a device is nobody's: what was started is what is done.
TEST_F(Io, FlushesEndOnce) {
  std::string out;
  for (int i = 0; i < 10 && out != "0\n"; ++i)  // one may be going on when tracing starts
    out = dscope({"-qn",
                  "int odd; io:::start { started[arg0] = 1; }"
                  "io:::done /args[0]->b_bcount == 0/ { odd += started[arg0] != 1; started[arg0] = 0; }"
                  "END { printf(\"%d\", odd); }",
                  "-c", "dd if=/dev/zero of=" + path_ + " bs=4096 count=1 conv=fsync,notrunc status=none"})
              .out;
  EXPECT_EQ(out, "0\n");
}

// Its memory is that of the process and has no file; who waits for it does.
TEST_F(Io, DirectTransfersKnowTheirFile) {
  std::string out = traced("direct",
                           "io:::start, io:::done /args[0]->b_flags & B_PHYS &&"
                           "  args[2]->fi_name == \"io_test_DirectTransfersKnowTheirFile\"/"
                           "{ @[probename, args[2]->fi_pathname, args[2]->fi_fs != \"<none>\"] = count(); }"
                           "END { printa(\"%s %s %d\\n\", @); }");
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  for (const char* probe : {"start", "done"})
    EXPECT_NE(out.find(fmt::format("{} {}/io_test_DirectTransfersKnowTheirFile 1\n", probe, canonical)),
              std::string::npos)
        << out;
}

// The kernel splits what is more than the device takes at once; some of it may be read by a thread of its own. What has
// started may be joined by more.
TEST_F(Io, AllPartsOfLargeTransfersKnowTheirFile) {
  constexpr uint64_t size = 8 << 20;
  std::ofstream{path_} << std::string(size, 'x');
  ASSERT_EQ(run({"sync", path_}).status, 0);
  std::string file = "io_test_AllPartsOfLargeTransfersKnowTheirFile";
  Outcome outcome = dscope({"-qn",
                            "int parts; long bytes; io:::done /args[2]->fi_name == \"" + file +
                                "\"/ { parts++; bytes += args[0]->b_bcount; }"
                                "END { printf(\"%d %d\", parts > 1, bytes); }",
                            "-c", "dd if=" + path_ + " of=/dev/null bs=8M count=1 iflag=direct status=none"});
  EXPECT_TRUE(outcome.out == fmt::format("1 {}\n", size) || outcome.out == fmt::format("0 {}\n", size))
      << outcome.out << outcome.err;
}

// Another part of the file system is mounted elsewhere, too.
TEST_F(Io, PathsAreThoseOfTheWholeFileSystem) {
  if (run({"unshare", "-m", "true"}).status != 0) GTEST_SKIP() << "no mount namespaces";
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  std::string file = "io_test_PathsAreThoseOfTheWholeFileSystem";
  std::string script = path_ + ".sh";
  std::ofstream(script) << "mount --bind /etc /mnt\ndd if=" << path_
                        << " of=/dev/null bs=64k count=1 iflag=direct status=none\n";
  Outcome outcome = dscope({"-qn",
                            "io:::start /args[2]->fi_name == \"" + file +
                                "\"/ { @[args[2]->fi_pathname] = count(); }"
                                " END { printa(\"%s\\n\", @); }",
                            "-c", "unshare -m sh " + script});
  std::filesystem::remove(script);
  EXPECT_NE(outcome.out.find(fmt::format("{}/{}\n", canonical, file)), std::string::npos) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out.find("//"), std::string::npos) << outcome.out;
}

TEST_F(Io, DeviceIsThatOfTheFile) {
  std::string out = traced("direct",
                           "io:::start /pid == $target && !said/"
                           "{ said = 1; printf(\"%d %d %d %s %d\", args[1]->dev_major, args[1]->dev_minor,"
                           "  args[0]->b_edev, args[1]->dev_pathname, args[0]->b_error); }");
  uint64_t number = uint64_t{major(device_)} << 20 | minor(device_);
  std::string link = fmt::format("/sys/dev/block/{}:{}", major(device_), minor(device_));
  std::string name = std::filesystem::canonical(link).filename();
  EXPECT_EQ(out, fmt::format("{} {} {} /dev/{} 0\n", major(device_), minor(device_), number, name));
}

// Blocks are given back, but nothing is transferred.
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

// No device of the machine is behind it whose driver could be asked.
TEST_F(Io, LoopDevicesHaveTheNameOfTheirDriver) {
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

TEST_F(Io, CachedReadsKnowTheirFile) {
  std::string out =
      traced("cached",
             "io:::start /pid == $target && args[2]->fi_name == \"io_test_CachedReadsKnowTheirFile\"/"
             "{ printf(\"%s %s %s %d %d\\n\", args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_name,"
             "  args[2]->fi_offset, args[0]->b_flags & B_PAGEIO); }");
  std::string canonical = std::filesystem::canonical(std::filesystem::path(path_).parent_path());
  EXPECT_NE(out.find(fmt::format("{}/{} {} {} 0 16\n", canonical, "io_test_CachedReadsKnowTheirFile", canonical,
                                 "io_test_CachedReadsKnowTheirFile")),
            std::string::npos)
      << out;
}

// On a busy machine a request may be over before its thread has gone to sleep: then nothing waits, and it is done
// again.
TEST_F(Io, WaitsBeginAndEnd) {
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
