// The budget for reading one file: bytes, time, one message, and no second attempt.
#include "runtime/elf/file_budget.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/fd.h"
#include "support/interruption.h"

namespace dscope::test {
namespace {

Fd make_file(const char* name, uid_t owner = 0) {
  Fd file{::memfd_create(name, MFD_CLOEXEC)};
  bool is_owned = owner == 0 || ::fchown(file.get(), owner, owner) == 0;
  EXPECT_TRUE(is_owned);
  return file;
}

class FileBudgetTest : public testing::Test {
 protected:
  FileBudgetTest() {
    FileBudget::configure({}, [this](const std::string& message) { messages.push_back(message); });
  }
  ~FileBudgetTest() override { FileBudget::configure({}, nullptr); }

  std::vector<std::string> messages;
};

TEST_F(FileBudgetTest, BytesAreCountedUntilTheyAreUsedUp) {
  Fd file = make_file("bytes");
  FileBudget budget(file.get(), {.bytes = 100});
  EXPECT_TRUE(budget.take(60));
  EXPECT_EQ(budget.bytes_left(), 40U);
  EXPECT_TRUE(budget.take(40));
  EXPECT_FALSE(budget.is_used_up());
  EXPECT_FALSE(budget.take(1));
  EXPECT_FALSE(budget.take(0));
  EXPECT_FALSE(budget.has_time());
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("bytes"), std::string::npos);
  EXPECT_NE(messages[0].find(" exceeds 100 bytes (-x foreignbytes)"), std::string::npos) << messages[0];
}

TEST_F(FileBudgetTest, TimeIsUsedUpInLoops) {
  Fd file = make_file("time");
  FileBudget budget(file.get(), {.time = std::chrono::milliseconds{5}});
  uint64_t iterations = 0;
  while (budget.has_time() && iterations < UINT32_MAX) ++iterations;
  EXPECT_TRUE(budget.is_used_up());
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find(" exceeds 0.005 s (-x foreigntime)"), std::string::npos) << messages[0];
}

TEST_F(FileBudgetTest, AFileIsReportedOnceAndNotReadAgainUntilItChanges) {
  Fd file = make_file("again");
  EXPECT_FALSE(FileBudget(file.get(), {.bytes = 1}).take(2));
  EXPECT_TRUE(FileBudget(file.get()).is_used_up());
  EXPECT_EQ(::ftruncate(file.get(), 10), 0);
  FileBudget changed(file.get(), {.bytes = 1});
  EXPECT_FALSE(changed.is_used_up());
  EXPECT_FALSE(changed.take(2));
  EXPECT_EQ(messages.size(), 1U);
}

// A user can make any number of bombs.
TEST_F(FileBudgetTest, FilesOfAnOwnerWithManyBombsAreNotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  constexpr uid_t attacker = 64911, bystander = 64912;
  std::vector<Fd> files;
  for (int i = 0; i < FileBudget::max_files_per_owner; ++i) {
    files.push_back(make_file("bomb", attacker));
    FileBudget budget(files.back().get(), {.bytes = 1});
    EXPECT_FALSE(budget.is_used_up()) << i;
    EXPECT_FALSE(budget.take(2));
  }
  EXPECT_NE(messages.back().find("as are those of all other files of user 64911"), std::string::npos);
  Fd innocent = make_file("innocent", attacker), other = make_file("other", bystander);
  EXPECT_TRUE(FileBudget(innocent.get()).is_used_up());
  EXPECT_FALSE(FileBudget(other.get()).is_used_up());
}

TEST_F(FileBudgetTest, AnInterruptionEndsTheReadingWithoutBlame) {
  Fd file = make_file("interrupted");
  FileBudget budget(file.get());
  EXPECT_TRUE(budget.check_clock());
  is_interrupted = true;
  EXPECT_FALSE(budget.check_clock());
  is_interrupted = false;
  EXPECT_TRUE(budget.is_used_up());
  EXPECT_TRUE(messages.empty());
  EXPECT_FALSE(FileBudget(file.get()).is_used_up());
}

TEST_F(FileBudgetTest, OtherLimitsOfAFileAreReportedOnce) {
  Fd file = make_file("other");
  for (int i = 0; i < 2; ++i) FileBudget::report(file.get(), "has more than 16 words: the others are ignored");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].ends_with(" has more than 16 words: the others are ignored")) << messages[0];
  EXPECT_FALSE(FileBudget(file.get()).is_used_up());
}

TEST_F(FileBudgetTest, ControlCharactersOfPathsAreReplaced) {
  Fd file = make_file("new\nline\x1b[2J");
  EXPECT_FALSE(FileBudget(file.get(), {.bytes = 1}).take(2));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("new?line?[2J"), std::string::npos) << messages[0];
}

}  // namespace
}  // namespace dscope::test
