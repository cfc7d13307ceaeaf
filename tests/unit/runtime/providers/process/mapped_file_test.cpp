// Files of mappings, whatever their paths lead to meanwhile.
#include "runtime/providers/process/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/providers/process/probed_files.h"
#include "support/descriptor_path.h"

namespace dscope::test {
namespace {

ino_t inode_of(const Fd& file) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 ? status.st_ino : 0;
}

class MappedFileTest : public testing::Test {
 protected:
  // Maps a file, then puts another one at its path.
  void SetUp() override {
    path_ = testing::TempDir() + "mapped.XXXXXX";
    file_ = Fd{::mkstemp(path_.data())};
    ASSERT_EQ(::ftruncate(file_.get(), size), 0);
    memory_ = ::mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file_.get(), 0);
    ASSERT_NE(memory_, MAP_FAILED);
    Fd other{::open((path_ + ".other").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)};
    ASSERT_NE(inode_of(other), inode_of(file_));
  }
  void TearDown() override {
    ::munmap(memory_, size);
    ::unlink(path_.c_str());
    ::unlink((path_ + ".other").c_str());
  }
  void replace() { ASSERT_EQ(::rename((path_ + ".other").c_str(), path_.c_str()), 0); }
  std::optional<MappedFile> open() const { return open_mapped_path(static_cast<uint32_t>(::getpid()), path_); }

  static constexpr size_t size = 4096;
  std::string path_;
  Fd file_;
  void* memory_ = nullptr;
};

TEST_F(MappedFileTest, IsOpenedByTheMapping) {
  auto found = open();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_by_mapping);
  EXPECT_EQ(inode_of(found->opened), inode_of(file_));
  EXPECT_EQ(found->key.second, inode_of(file_));
}

// The maps of the process then say that the file is deleted.
TEST_F(MappedFileTest, ReplacedFilesStayTheMappedOnes) {
  if (::geteuid() != 0) GTEST_SKIP() << "following /proc/PID/map_files needs root";
  replace();
  auto found = open();
  ASSERT_TRUE(found);
  EXPECT_EQ(inode_of(found->opened), inode_of(file_));
}

TEST_F(MappedFileTest, ProbePathsIdentifyFiles) {
  ProbedFiles files;
  std::string path = files.path_of(file_.get());
  replace();
  Fd again{::open(path.c_str(), O_RDONLY | O_CLOEXEC)}, other{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  EXPECT_EQ(inode_of(again), inode_of(file_));
  EXPECT_EQ(files.path_of(again.get()), path);
  EXPECT_NE(files.path_of(other.get()), path);
}

TEST_F(MappedFileTest, DescriptorsAreShownAsPaths) {
  ProbedFiles files;
  EXPECT_EQ(resolve_descriptor_path(files.path_of(file_.get())), path_);
  EXPECT_EQ(resolve_descriptor_path("/bin/sh"), "/bin/sh");
}

TEST(TrustsOwner, OnlyRootAndTheUserOfTheProcess) {
  auto pid = static_cast<uint32_t>(::getpid());
  EXPECT_TRUE(trusts_owner(pid, 0));
  EXPECT_TRUE(trusts_owner(pid, ::geteuid()));
  EXPECT_FALSE(trusts_owner(pid, 64999));
  EXPECT_FALSE(trusts_owner(0x7fffffff, 64999));  // no such process
}

}  // namespace
}  // namespace dscope::test
