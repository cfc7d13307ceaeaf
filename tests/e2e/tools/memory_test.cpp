// oomkill and reclaim, in a control group with a limit of memory that the test makes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/e2e/tools/tool_runs.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t page = 4096, limit = 16 << 20;

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

class MemoryTools : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    const std::string name = "/dscope-memory-" + std::to_string(::getpid());
    for (const char* hierarchy : {"/sys/fs/cgroup/memory", "/sys/fs/cgroup"}) {
      bool is_first_version = fs::exists(std::string(hierarchy) + "/memory.limit_in_bytes");
      if (!is_first_version) write_file(std::string(hierarchy) + "/cgroup.subtree_control", "+memory");
      group_ = hierarchy + name;
      if (::mkdir(group_.c_str(), 0755) != 0) continue;
      std::string file = group_ + (is_first_version ? "/memory.limit_in_bytes" : "/memory.max");
      if (fs::exists(file) && write_file(file, std::to_string(limit))) return;
      ::rmdir(group_.c_str());
    }
    group_.clear();
    GTEST_SKIP() << "needs root and the memory controller of cgroups";
  }
  void TearDown() override {
    // The group of a process that has ended is busy for a moment.
    for (int tries = 0; !group_.empty() && ::rmdir(group_.c_str()) != 0 && errno == EBUSY && tries < 5000; ++tries)
      ::usleep(1000);
  }

  // The shell command that runs `command` in the group.
  std::string inside(const std::string& command) const {
    return "sh -c 'echo $$ > " + group_ + "/cgroup.procs; exec " + command + "'";
  }

 private:
  std::string group_;
};

TEST_F(MemoryTools, OomkillShowsEachVictim) {
  std::string hoard = inside(std::string(DSCOPE_TRIGGERS) + "/tasks hoard");
  Outcome outcome =
      dscope({"-s", tool_script("oomkill"), "--", "sh", "-c", "for i in 1 2 3; do " + hoard + "; done; exit 0"});
  EXPECT_EQ(matches(outcome.out, "tasks +[0-9]+ tasks +1[0-9] +[0-9]+ +0\n"), 3) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("\n3 processes killed\n"), std::string::npos) << outcome.out;
}

// A file that is longer than the limit: the pages beyond it take the place of others.
TEST_F(MemoryTools, ReclaimCountsTheFreedPages) {
  constexpr uint64_t pages = 10'000;
  std::string file = std::string(DSCOPE_TRIGGERS) + "/reclaim.written";
  Outcome made = run({"dd", "if=/dev/zero", "of=" + file, "bs=40k", "count=1000", "conv=fsync"});
  ASSERT_EQ(made.status, 0) << made.err;
  run({"dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"});
  Outcome outcome = dscope({"-s", tool_script("reclaim"), "-n", "dd", "--", "sh", "-c",
                            inside("dd if=" + file + " of=/dev/null bs=64k") + "; exit 0"});
  fs::remove(file);
  uint64_t freed = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    std::istringstream words(line);
    uint64_t process = 0, order = 0, us = 0, row = 0;
    std::string program;
    if (words >> process >> program >> order >> us >> row) freed += row;
  }
  EXPECT_GE(freed, pages - limit / page) << outcome.out << outcome.err;
  EXPECT_LE(freed, pages + limit / page) << outcome.out;
}

}  // namespace
}  // namespace dscope::e2e
