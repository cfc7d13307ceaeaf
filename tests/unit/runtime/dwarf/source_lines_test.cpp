// Reads source lines of this test program, which is compiled with -g2.
#include "runtime/dwarf/source_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

// clang-format off
extern "C" __attribute__((noinline, used)) int source_lines_landmark(int value) { return value * 3; } constexpr int landmark_line = __LINE__;
// clang-format on

namespace dscope::test {
namespace {

// GCC indexes the addresses of units in .debug_aranges. Clang does so only with -gdwarf-aranges.
TEST(SourceLines, AreFoundWithoutDebugAranges) {
  std::ostringstream text;
  text << std::ifstream{"/proc/self/exe", std::ios::binary}.rdbuf();
  std::string image = text.str();
  constexpr std::string_view index = ".debug_aranges";
  size_t name = image.rfind(std::string{index} + '\0');
  ASSERT_NE(name, std::string::npos);
  std::string path = testing::TempDir() + "source_lines_" + std::to_string(::getpid());
  for (bool has_index : {true, false}) {
    if (!has_index) image[name + 1] = 'x';
    std::ofstream{path, std::ios::binary} << image;
    auto lines = SourceLines::open("", path, "");
    if (lines == nullptr) GTEST_SKIP() << "libdw is not installed";
    // This program is linked at a fixed address (-no-pie).
    auto found = lines->find(reinterpret_cast<uint64_t>(&source_lines_landmark));
    ASSERT_EQ(found.size(), 1U) << has_index;
    EXPECT_EQ(found[0].file, "source_lines_test.cpp");
    EXPECT_EQ(found[0].number, landmark_line);
  }
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace dscope::test
