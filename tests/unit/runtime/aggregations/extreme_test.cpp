// min() and max() across clear(): which updates belong to which period.
#include "aggregation_fixture.h"

namespace dscope::test {
namespace {

class ExtremeTest : public AggregationTest {};

TEST_F(ExtremeTest, ClearResetsMinAndMax) {
  uint32_t low = by_int(AggregationFunction::Min), high = add_aggregation(AggregationFunction::Max);
  source.put_extreme(low, key(1), 0, 5);
  source.put_extreme(low, key(2), 0, -5);
  source.put_extreme(high, {}, 0, 9);
  CannedClause clear_low = on(Action::Clear, {low}), clear_high = on(Action::Clear, {high});
  CannedClause print_low = printa("%d:%@d ", {low}), print_high = printa("%@d ", {high});
  for (CannedClause* canned : {&clear_low, &clear_high, &print_low, &print_high}) add(*canned);
  for (CannedClause* canned : {&print_low, &print_high, &clear_low, &clear_high, &print_low, &print_high})
    feed(*canned);
  EXPECT_EQ(output(), "2:-5 1:5 9 1:9223372036854775807 2:9223372036854775807 -9223372036854775808 ");
  source.put_extreme(low, key(1), 1, 8);  // a later update; CPU 0 still holds the old 5
  start_pass();
  feed(print_low);
  feed(print_high);
  EXPECT_EQ(output(), "1:8 2:9223372036854775807 -9223372036854775808 ");
}

// Printing takes time: clear() must keep the updates that arrive between the snapshot and the clear().
TEST_F(ExtremeTest, UpdatesBetweenSnapshotAndClearCount) {
  uint32_t high = by_int(AggregationFunction::Max), only = add_aggregation(AggregationFunction::Min);
  CannedClause clear = on(Action::Clear, {high}), clear_only = on(Action::Clear, {only});
  CannedClause print_it = printa("%d:%@d ", {high}), print_only = printa("%@d ", {only});
  for (CannedClause* canned : {&clear, &clear_only, &print_it, &print_only}) add(*canned);
  auto put = [&](uint32_t cpu, int64_t value) {
    source.put_extreme(high, key(1), cpu, value);
    source.put_extreme(only, {}, cpu, -value);
  };
  auto print_pass = [&] {
    start_pass();
    feed(print_it);
    feed(print_only);
  };
  put(0, 9);
  print_pass();
  put(1, 4);                               // less than the printed 9, but the maximum of the next period
  source.put_extreme(high, key(2), 0, 1);  // new: not in any snapshot yet
  feed(clear);
  feed(clear_only);
  print_pass();
  print_pass();  // no update: prints the same period again
  put(0, 6);
  print_pass();
  EXPECT_EQ(output(), "1:9 -9 2:1 1:4 -4 2:1 1:4 -4 2:1 1:6 -6 ");
}

TEST_F(ExtremeTest, ElementsCreatedAfterTheSnapshotAreNotPrinted) {
  uint32_t high = add_aggregation(AggregationFunction::Max);
  CannedClause print_it = printa("%@d ", {high});
  add(print_it);
  source.put(high, {}, 0, {0, 0, 7, 2});  // belongs to the generation that the snapshot starts
  feed(print_it);
  EXPECT_EQ(output(), "");
  start_pass();
  feed(print_it);
  EXPECT_EQ(output(), "7 ");
}

}  // namespace
}  // namespace dscope::test
