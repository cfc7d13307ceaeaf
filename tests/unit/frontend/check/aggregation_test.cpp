// Aggregations (d-language.md 6, consumer-and-actions.md 5).
#include "check_text.h"

namespace dscope {
namespace {

const Aggregation& only(const CheckedText& checked) { return checked.meaning().aggregations.at(0); }

TEST(Aggregations, AreKeptInOrderOfAppearance) {
  CheckedText checked("BEGIN { @b = count(); @ = sum(1); @a[1] = max(2); @b = count(); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(checked.meaning().aggregations.size(), 3U);
  EXPECT_EQ(checked.meaning().aggregations[0].name, "b");
  EXPECT_EQ(checked.meaning().aggregations[1].name, "_");
  EXPECT_EQ(checked.meaning().aggregations[2].name, "a");
}

TEST(Aggregations, KeysKeepTheirFirstTypes) {
  CheckedText checked(
      "BEGIN { @a[(int32_t)1, execname, stack()] = count(); @a[(int64_t)1, \"x\", stack(5)] = count(); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  ASSERT_EQ(only(checked).keys.size(), 3U);
  EXPECT_EQ(checked.types().spell(only(checked).keys[0].type), "int32_t");
  EXPECT_EQ(only(checked).keys[2].action, Action::Stack);
}

TEST(Aggregations, KeepQuantizeParameters) {
  CheckedText linear("BEGIN { @a = lquantize(pid, -10, 100, 7); }");
  ASSERT_FALSE(linear.failed()) << linear.rendered();
  EXPECT_EQ(only(linear).parameters[0], -10);
  EXPECT_EQ(only(linear).parameters[1], 15);
  EXPECT_EQ(only(linear).parameters[2], 7);
  CheckedText plain("BEGIN { @a = lquantize(pid, 0, 5); }");
  EXPECT_EQ(only(plain).parameters[1], 5);
  CheckedText logarithmic("BEGIN { @a = llquantize(pid, 10, 0, 5, 20); }");
  ASSERT_FALSE(logarithmic.failed()) << logarithmic.rendered();
  EXPECT_EQ(only(logarithmic).parameters[3], 20);
}

// With steps of 7, the limits 105 and 107 end in the same last bucket, so they are equal.
TEST(Aggregations, LimitsCompareByTheLastLevel) {
  EXPECT_EQ(tag_of("BEGIN { @a = lquantize(1, 0, 105, 7); @a = lquantize(1, 0, 107, 7); }"), "none");
}

TEST(Aggregations, AcceptIncrements) {
  EXPECT_EQ(tag_of("BEGIN { @a = quantize(1, -2); @b = lquantize(1, 0, 10, 1, pid); "
                   "@c = llquantize(1, 10, 0, 3, 10, pid); }"),
            "none");
}

TEST(Aggregations, RulesHoldAcrossClausesAndUnits) {
  CheckedText checked({{.text = "BEGIN { @a = lquantize(1, 0, 10); }"}, {.text = "END { @a = lquantize(1, 0, 11); }"}});
  EXPECT_EQ(checked.tag(), "D_LQUANT_MATCHLIM");
}

TEST(Aggregations, RedefinitionNamesBothUses) {
  EXPECT_EQ(message_of("BEGIN\n{\n\t@a = count();\n}\nEND { @a = avg(1); }"),
            "aggregation redefined: @a\n\t current: @a = avg( )\n\tprevious: @a = count( ) : line 3");
}

TEST(Aggregations, ReferencesAreBound) {
  CheckedText checked("BEGIN { @a[1] = count(); trunc(@a, 5); }");
  ASSERT_FALSE(checked.failed()) << checked.rendered();
  const auto& assign = std::get<Assign>(checked.statement(0).form);
  EXPECT_TRUE(std::holds_alternative<AggregationId>(checked.info(*std::get<Index>(assign.lhs->form).base).binding));
  const auto& call = std::get<Call>(checked.statement(1).form);
  EXPECT_TRUE(std::holds_alternative<AggregationId>(checked.info(*call.arguments[0]).binding));
}

TEST(Aggregations, AreAllowedInStatementsOnly) {
  EXPECT_EQ(tag_of("BEGIN { if (pid) { @a = count(); } else { @a = count(); } }"), "none");
  EXPECT_EQ(tag_of("BEGIN { pid ? (@a = count()) : 1; }"), "none");
  EXPECT_EQ(tag_of("BEGIN { (@a = count()) = count(); }"), "D_OP_LVAL");
}

}  // namespace
}  // namespace dscope
