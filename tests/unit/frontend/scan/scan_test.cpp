#include "frontend/scan/scan.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

// The items as text, each with the letter of its place: o d p b.
std::string items_of(std::string text, OnBrokenText on_broken = OnBrokenText::Skip) {
  Scan scanned = scan(std::move(text), on_broken);
  std::string result;
  for (const ScannedItem& item : scanned.items)
    result += std::string(result.empty() ? "" : " ") + "odpb"[static_cast<int>(item.place)] + ":" +
              std::string(scanned.text_of(item));
  return result;
}

TEST(Scan, FindsThePlaceOfEachToken) {
  EXPECT_EQ(items_of("a:b:c:d /x/y > 1/ { z; }"), "o:a:b:c:d p:/ p:x p:/ p:y p:> p:1 p:/ b:{ b:z b:; b:}");
  EXPECT_EQ(items_of("int x; BEGIN { } foo_t*y; tick-1s,END"),
            "d:int d:x d:; o:BEGIN b:{ b:} d:foo_t d:* d:y d:; o:tick-1s o:, o:END");
  EXPECT_EQ(items_of("struct s { int a; }; read* { }"), "d:struct d:s d:{ d:int d:a d:; d:} d:; o:read* b:{ b:}");
}

TEST(Scan, FindsComments) {
  EXPECT_EQ(items_of("#!x\n/* a */ BEGIN // b\n{ /* c */ }"), "o:#!x o:/* a */ o:BEGIN o:// b b:{ b:/* c */ b:}");
}

TEST(Scan, BranchesOfThePreprocessorStartInTheSameState) {
  EXPECT_EQ(items_of("#if A\nx {\n#else\ny {\n#endif\nz; }\nq:r:s:t"),
            "o:#if A o:x b:{ b:#else o:y b:{ b:#endif b:z b:; b:} o:q:r:s:t");
}

TEST(Scan, GoesOnAfterBrokenText) {
  EXPECT_EQ(items_of("BEGIN { x = \"a\ny; }\nEND"), "o:BEGIN b:{ b:x b:= b:\"a b:y b:; b:} o:END");
  EXPECT_EQ(items_of("BEGIN { x = \nsyscall::open:entry { }"), "o:BEGIN b:{ b:x b:= o:syscall::open:entry b:{ b:}");
  EXPECT_TRUE(scan("BEGIN { \"a\n}", OnBrokenText::Stop).error.has_value());
  EXPECT_FALSE(scan("BEGIN { }", OnBrokenText::Stop).error.has_value());
}

}  // namespace
}  // namespace dscope
