// SourceSet: offsets to units, lines and columns.
#include "support/source.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(SourceSet, LocatesLinesAndColumnsOfEachUnit) {
  SourceSet sources;
  UnitId first = sources.add(UnitKind::Script, "a.d", "one\ntwo\n");
  UnitId second = sources.add(UnitKind::String, "-n", "BEGIN {}");
  uint32_t base = sources.unit(second).base;

  SourceLocation two = sources.locate(5);
  EXPECT_EQ(two.unit, first);
  EXPECT_EQ(two.line, 2U);
  EXPECT_EQ(two.column, 2U);
  EXPECT_EQ(two.line_text, "two");
  SourceLocation brace = sources.locate(base + 6);
  EXPECT_EQ(brace.unit, second);
  EXPECT_EQ(brace.line, 1U);
  EXPECT_EQ(brace.column, 7U);
}

TEST(SourceSet, NewlineBelongsToTheLineItEnds) {
  SourceSet sources;
  sources.add(UnitKind::Script, "a.d", "one\n\nx");
  EXPECT_EQ(sources.locate(3).line, 1U);
  EXPECT_EQ(sources.locate(3).column, 4U);
  EXPECT_EQ(sources.locate(4).line, 2U);
  EXPECT_EQ(sources.locate(4).line_text, "");
  EXPECT_EQ(sources.locate(5).line_text, "x");
}

TEST(SourceSet, EndOfUnitIsNotTheNextUnit) {
  SourceSet sources;
  UnitId first = sources.add(UnitKind::String, "a", "ab");
  UnitId second = sources.add(UnitKind::String, "b", "cd");
  EXPECT_EQ(sources.locate(2).unit, first);
  EXPECT_EQ(sources.locate(sources.unit(second).base).unit, second);
  EXPECT_EQ(sources.locate(1000).unit, second);
}

TEST(SourceSet, EmptyUnitsAndSets) {
  SourceSet sources;
  EXPECT_EQ(sources.locate(7).line, 1U);
  sources.add(UnitKind::Script, "empty.d", "");
  EXPECT_EQ(sources.locate(0).line_text, "");
  EXPECT_EQ(sources.locate(0).column, 1U);
}

TEST(SourceSet, TextOfARangeStaysInItsUnit) {
  SourceSet sources;
  sources.add(UnitKind::String, "a", "hello");
  sources.add(UnitKind::String, "b", "world");
  EXPECT_EQ(sources.text({1, 4}), "ell");
  EXPECT_EQ(sources.text({1, 100}), "ello");
  EXPECT_EQ(sources.text({6, 8}), "wo");
}

}  // namespace
}  // namespace dscope
