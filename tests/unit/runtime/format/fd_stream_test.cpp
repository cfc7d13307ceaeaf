// FdStream: buffering, append mode, the first error.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "runtime/format/fd_stream.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// A path that no other run of this test uses.
std::string temporary_path(const std::string& name) {
  return testing::TempDir() + "fd_stream_" + name + "_" + std::to_string(::getpid());
}

TEST(FdStream, BuffersAndAppends) {
  std::string path = temporary_path("appends");
  ::unlink(path.c_str());
  {
    auto stream = FdStream::open_append(path);
    ASSERT_TRUE(stream.has_value());
    (*stream)->write("one ");
    EXPECT_EQ(read_file(path), "");
    (*stream)->flush();
    EXPECT_EQ(read_file(path), "one ");
  }
  {
    auto stream = FdStream::open_append(path);
    ASSERT_TRUE(stream.has_value());
    (*stream)->write("two");
    (*stream)->write(std::string(1 << 20, 'x'));
    EXPECT_FALSE((*stream)->is_terminal());
  }
  EXPECT_EQ(read_file(path), "one two" + std::string(1 << 20, 'x'));
  ::unlink(path.c_str());
}

// Programs without -w must not destroy what the file of -o held before.
TEST(FdStream, TruncationCanKeepEarlierContent) {
  std::string path = temporary_path("keeps");
  std::ofstream(path) << "earlier\n";
  auto stream = FdStream::open_append(path);
  ASSERT_TRUE(stream.has_value());
  (*stream)->keep_earlier_content();
  (*stream)->write("lost");
  (*stream)->truncate();
  (*stream)->write("new");
  (*stream)->flush();
  EXPECT_EQ(read_file(path), "earlier\nnew");
  ::truncate(path.c_str(), 3);  // by someone else: truncation never lengthens the file
  (*stream)->truncate();
  EXPECT_EQ(read_file(path), "ear");
  ::unlink(path.c_str());
}

TEST(FdStream, OpenFailureNamesTheFile) {
  auto stream = FdStream::open_append("/nonexistent/file");
  ASSERT_FALSE(stream.has_value());
  EXPECT_EQ(stream.error().message(), "failed to open output file '/nonexistent/file': No such file or directory");
}

TEST(FdStream, KeepsTheFirstErrorAndCountsLostBytes) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  FdStream stream{Fd{ends[1]}};
  stream.write("lost");
  EXPECT_EQ(stream.error(), 0);
  stream.flush();
  EXPECT_EQ(stream.error(), EPIPE);
  stream.write("more");
  stream.flush();
  EXPECT_EQ(stream.error(), EPIPE);
  EXPECT_EQ(stream.lost_bytes(), 8u);
}

TEST(FdStream, RedirectsTextAndRestores) {
  std::string first = temporary_path("redirect_first"), second = temporary_path("redirect_second");
  ::unlink(first.c_str());
  ::unlink(second.c_str());
  auto stream = FdStream::open_append(first);
  ASSERT_TRUE(stream);
  (*stream)->restore();
  (*stream)->write("a");
  EXPECT_FALSE((*stream)->is_redirected());
  ASSERT_TRUE((*stream)->redirect(second));
  EXPECT_TRUE((*stream)->is_redirected());
  (*stream)->write("b");
  EXPECT_EQ((*stream)->redirect("/nonexistent/file").error().error_number(), ENOENT);
  (*stream)->write("c");
  (*stream)->restore();
  EXPECT_FALSE((*stream)->is_redirected());
  (*stream)->write("d");
  (*stream)->flush();
  EXPECT_EQ(read_file(first), "ad");
  EXPECT_EQ(read_file(second), "bc");
  ASSERT_TRUE((*stream)->redirect(second));
  (*stream)->write("e");
  (*stream)->flush();
  EXPECT_EQ(read_file(second), "bce");
  (*stream)->write("f");
  (*stream)->truncate();
  (*stream)->write("g");
  (*stream)->flush();
  EXPECT_EQ(read_file(second), "g");
}

TEST(FdStream, DataExcludesTextFromItsFile) {
  std::string first = temporary_path("data_first"), second = temporary_path("data_second");
  ::unlink(first.c_str());
  ::unlink(second.c_str());
  auto stream = FdStream::open_append(first);
  ASSERT_TRUE(stream);
  EXPECT_FALSE((*stream)->write_data("header", "data")) << "only to the target of freopen()";
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE((*stream)->redirect(second));
    (*stream)->write("text");
    EXPECT_TRUE((*stream)->write_data("header", "1"));
    (*stream)->write("text");
    EXPECT_EQ((*stream)->reserve(4), nullptr);
    EXPECT_TRUE((*stream)->write_data("header", "2"));
  }
  (*stream)->restore();
  (*stream)->write("text");
  (*stream)->flush();
  EXPECT_EQ(read_file(second), "header1212");
  EXPECT_EQ(read_file(first), "text");
}

TEST(FdStream, ReservedBytesAreWrittenInOrder) {
  std::string path = temporary_path("reserved");
  ::unlink(path.c_str());
  auto stream = FdStream::open_append(path);
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->reserve(size_t{1} << 30), nullptr) << "more than the buffer";
  std::string expected;
  // Together more than the buffer holds.
  for (int i = 0; i < 100'000; ++i) {
    char* out = (*stream)->reserve(100);
    ASSERT_NE(out, nullptr);
    std::memcpy(out, "reserved", 8);
    (*stream)->commit(4);
    (*stream)->write("-");
    expected += "rese-";
  }
  (*stream)->flush();
  EXPECT_EQ(read_file(path), expected);
  ::unlink(path.c_str());
}

TEST(FdStream, FullDiskIsAnError) {
  auto stream = FdStream::open_append("/dev/full");
  if (!stream.has_value()) GTEST_SKIP() << "no /dev/full";
  (*stream)->write("x");
  (*stream)->flush();
  EXPECT_EQ((*stream)->error(), ENOSPC);
}

}  // namespace
}  // namespace dscope::test
