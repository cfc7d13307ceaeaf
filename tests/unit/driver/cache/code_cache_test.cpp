// The cache of compiled programs: only its owner can change what it returns.
#include "driver/cache/code_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

class CodeCacheTest : public ::testing::Test {
 protected:
  std::string directory() const { return folder_.path() + "/dscope"; }
  CodeCache open() const {
    auto cache = CodeCache::open_at(directory());
    if (!cache) throw std::runtime_error("no cache");
    return std::move(*cache);
  }
  // The smallest plan that is consistent.
  static Bundle bundle(const std::string& notice) {
    Bundle bundle{.notices = {notice}, .plan = {}, .object = {}};
    bundle.plan.maps = {{.name = "ds_state", .kind = MapKind::Array, .key_size = 4, .value_size = 4096},
                        {.name = "ds_counters", .kind = MapKind::PerCpuArray, .key_size = 4, .value_size = 4096},
                        {.name = "ds_ring", .kind = MapKind::RingBuffer}};
    return bundle;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory())) found.push_back(entry.path());
    return found;
  }

  TemporaryFolder folder_;
};

TEST_F(CodeCacheTest, FindsWhatWasStored) {
  CodeCache cache = open();
  EXPECT_FALSE(cache.find("one"));
  cache.store("one", bundle("1"));
  cache.store("two", bundle("2"));
  ASSERT_TRUE(cache.find("one"));
  EXPECT_EQ(cache.find("one")->notices, std::vector<std::string>{"1"});
  EXPECT_EQ(open().find("two")->notices, std::vector<std::string>{"2"});
  cache.store("one", bundle("new"));
  EXPECT_EQ(cache.find("one")->notices, std::vector<std::string>{"new"});
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(CodeCacheTest, FilesAreTheOwnersOnly) {
  CodeCache cache = open();
  cache.store("key", bundle(""));
  for (const fs::path& file : files()) EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(directory()).permissions(), fs::perms(0700));
}

TEST_F(CodeCacheTest, DirectoriesThatOthersCanChangeAreRefused) {
  fs::create_directory(directory());
  for (unsigned mode : {0770U, 0707U, 0750U, 0705U}) {
    fs::permissions(directory(), fs::perms(mode));
    EXPECT_FALSE(CodeCache::open_at(directory())) << std::oct << mode;
  }
  fs::permissions(directory(), fs::perms(0700));
  EXPECT_TRUE(CodeCache::open_at(directory()));
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(directory().c_str(), 1, 1), 0);
    EXPECT_FALSE(CodeCache::open_at(directory()));
  }
}

TEST_F(CodeCacheTest, LinksAreRefused) {
  fs::create_directory(folder_.path() + "/elsewhere");
  fs::permissions(folder_.path() + "/elsewhere", fs::perms(0700));
  fs::create_directory_symlink(folder_.path() + "/elsewhere", directory());
  EXPECT_FALSE(CodeCache::open_at(directory()));
}

TEST_F(CodeCacheTest, FilesThatOthersCanReadOrOwnAreIgnored) {
  CodeCache cache = open();
  cache.store("key", bundle(""));
  fs::path file = files().front();
  fs::permissions(file, fs::perms(0644));
  EXPECT_FALSE(cache.find("key"));
  fs::permissions(file, fs::perms(0600));
  EXPECT_TRUE(cache.find("key"));
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 1, 1), 0);
    EXPECT_FALSE(cache.find("key"));
    ASSERT_EQ(::chown(file.c_str(), 0, 0), 0);
  }
  fs::path other = directory() + "/other";
  fs::rename(file, other);
  fs::create_symlink(other, file);
  EXPECT_FALSE(cache.find("key"));
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(CodeCacheTest, DamagedFilesAreIgnored) {
  CodeCache cache = open();
  cache.store("key", bundle("whole"));
  fs::path file = files().front();
  auto size = fs::file_size(file);
  for (uintmax_t cut = 0; cut < size; ++cut) {
    fs::resize_file(file, cut);
    ASSERT_FALSE(cache.find("key")) << cut;
    fs::resize_file(file, size);
  }
  cache.store("key", bundle("new"));
  EXPECT_TRUE(cache.find("key"));
}

// Keys with equal hashes share a file name; the file contains its key.
TEST_F(CodeCacheTest, AFileWithAnotherKeyIsIgnored) {
  CodeCache cache = open();
  cache.store("key", bundle("1"));
  fs::path file = files().front();
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(8);
  stream << "kex";
  stream.close();
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(CodeCacheTest, TheLeastRecentlyUsedFilesAreRemoved) {
  CodeCache cache = open();
  Bundle large = bundle("");
  large.object.bytes.resize(CodeCache::max_bytes / 3);
  cache.store("first", large);
  cache.store("second", large);
  // A use counts like a store: "first" is now the younger one.
  for (const fs::path& file : files())
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(cache.find("first"));
  cache.store("third", large);
  EXPECT_TRUE(cache.find("first"));
  EXPECT_FALSE(cache.find("second"));
  EXPECT_TRUE(cache.find("third"));
}

}  // namespace
}  // namespace dscope
