// Format strings (consumer-and-actions.md 4): parsing, and the plans built from them.
#include "frontend/check/actions/format_string.h"
#include "tests/unit/frontend/check/check_text.h"

namespace dscope {
namespace {

const FormatPlan& plan_of(const CheckedText& checked, size_t index = 0) {
  return checked.meaning().formats.at(index).plan;
}

TEST(FormatString, SplitsIntoPieces) {
  ParsedFormat format = parse_format("a%-5dbc%%%lld.");
  ASSERT_EQ(format.error, "");
  ASSERT_EQ(format.conversions.size(), 4U);
  EXPECT_EQ(format.conversions[0].piece.literal, "a");
  EXPECT_EQ(format.conversions[0].piece.width, 5U);
  EXPECT_TRUE(format.conversions[0].piece.left);
  EXPECT_EQ(format.conversions[1].piece.literal, "bc");
  EXPECT_EQ(format.conversions[1].name, "%");
  EXPECT_EQ(format.conversions[2].name, "lld");
  EXPECT_EQ(format.conversions[2].piece.conversion, 'd');
  EXPECT_EQ(format.conversions[3].piece.literal, ".");
  EXPECT_EQ(format.conversions[3].piece.conversion, 0);
}

TEST(FormatString, AcceptsFlagsInAnyOrder) {
  FormatPiece piece = parse_format("%5#+' .3x").conversions[0].piece;
  EXPECT_TRUE(piece.alternate && piece.plus && piece.thousands && piece.space);
  EXPECT_EQ(piece.width, 5U);
  EXPECT_EQ(piece.precision, 3U);
}

TEST(FormatString, ZeroAndMinusCancelEachOther) {
  FormatPiece zero = parse_format("%-05d").conversions[0].piece;
  EXPECT_TRUE(zero.zero_pad && !zero.left);
  FormatPiece left = parse_format("%05-d").conversions[0].piece;
  EXPECT_TRUE(!left.zero_pad && left.left);
  EXPECT_EQ(parse_format("%50d").conversions[0].piece.width, 50U);
}

TEST(FormatString, LimitsWidths) {
  EXPECT_EQ(parse_format("%65535s").conversions[0].piece.width, 65535U);
  EXPECT_EQ(parse_format("%65536s").error, "format conversion #1 has a width above 65535");
  EXPECT_EQ(parse_format("%d%.99999999999999999999d").error, "format conversion #2 has a precision above 65535");
  EXPECT_EQ(parse_format("%?d").conversions[0].piece.width, 16U);
}

TEST(FormatString, PercentilesFollowTheAt) {
  FormatPiece piece = parse_format("%-10@p99.9d").conversions[0].piece;
  EXPECT_TRUE(piece.is_aggregation_value && piece.left);
  EXPECT_EQ(piece.width, 10U);
  EXPECT_EQ(piece.percentile, 99'900U);
  EXPECT_EQ(piece.conversion, 'd');
  // Without a number, %p is a conversion, as it is without @.
  EXPECT_EQ(parse_format("%@p").conversions[0].piece.conversion, 'p');
  EXPECT_EQ(parse_format("%p50").conversions[0].piece.percentile, std::nullopt);
  EXPECT_EQ(parse_format("%@p101d").error,
            "format conversion #1 has a percentile that is not from 0 to 100 with at most three decimals: p101");
}

TEST(FormatString, EndsAtNul) { EXPECT_EQ(parse_format(std::string_view("a\0%q", 4)).conversions.size(), 1U); }

TEST(FormatPlans, ListFieldsInOrder) {
  CheckedText checked("BEGIN { printf(\"%*.*s %d\\n\", 1, 2, \"a\", 3); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& pieces = plan_of(checked).pieces;
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[0].width_field, 0);
  EXPECT_EQ(pieces[0].precision_field, 1);
  EXPECT_EQ(pieces[0].field, 2);
  EXPECT_EQ(pieces[1].field, 3);
  EXPECT_EQ(pieces[2].literal, "\n");
  EXPECT_EQ(checked.meaning().format_of_node.at(checked.statement().id.index), 0);
}

TEST(FormatPlans, PrintaUsesKeys) {
  CheckedText checked(
      "BEGIN { @a[execname, stack(), sym(1)] = count(); printa(\"%s %@d %k%a\", @a); printa(\"%s\", @a); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& pieces = plan_of(checked).pieces;
  EXPECT_EQ(pieces[0].field, 0);
  EXPECT_TRUE(pieces[1].is_aggregation_value);
  EXPECT_EQ(pieces[1].field, -1);
  EXPECT_EQ(pieces[2].field, 1);
  EXPECT_EQ(pieces[3].field, 2);
}

TEST(FormatPlans, OnePlanForAllDescriptions) {
  CheckedText checked("BEGIN, END { printf(\"%d\", pid); }");
  EXPECT_EQ(checked.meaning().formats.size(), 1U);
}

TEST(FormatPlans, AcceptConversions) {
  EXPECT_EQ(tag_of("BEGIN { printf(\"%d %i %u %x %X %o %c %C\", pid, 1L, 'c', 1, 2, 3, 'x', 4); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%p %p %a\", curthread, 1, curthread); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%s %S %s\", execname, \"a\", curthread->comm); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%ld %lld %lx %llu\", 1L, 1L, timestamp, timestamp); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%Y %T\", walltimestamp, timestamp); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%k %k\", stack(), ustack(5)); }"), "none");
  EXPECT_EQ(tag_of("BEGIN { printf(\"%hd %hx\", (short)1, (unsigned short)2); }"), "none");
}

}  // namespace
}  // namespace dscope
