#include "pictures/run_model.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"

namespace dscope::test {
namespace {

int64_t amounts(const HistoryInterval& interval) {
  int64_t sum = 0;
  for (const HistoryCell& cell : interval.cells) sum += cell.amount;
  return sum;
}

TEST(RunModel, KeepsTheLatestValueAndTheDifferences) {
  RunModel model{start_with({counted("calls", {"execname"})})};
  model.add({.time_ns = second,
             .new_elements = {{.aggregation = 0, .keys = {text_key("cat")}}},
             .changes = {change(0, 0, 3)}});
  model.add({.time_ns = 2 * second, .changes = {change(0, 0, 10)}});
  const AggregationModel& calls = model.aggregations().front();
  EXPECT_EQ(calls.elements.front().keys.front().text, "cat");
  EXPECT_EQ(calls.elements.front().value.numbers, std::vector<int64_t>{10});
  ASSERT_EQ(calls.history.intervals().size(), 2U);
  EXPECT_EQ(amounts(calls.history.intervals()[0]), 3);
  EXPECT_EQ(amounts(calls.history.intervals()[1]), 7);
  EXPECT_EQ(calls.history.intervals()[1].begin_ns, second);
}

TEST(RunModel, KeepsDifferencesOfBuckets) {
  RunModel model{start_with({{.name = "t", .function = AggregationFunction::Quantize}})};
  model.add({.time_ns = second, .new_elements = {{}}, .changes = {{.value = {.buckets = {{4, 8, 1}, {8, 16, 2}}}}}});
  model.add({.time_ns = 2 * second, .changes = {{.value = {.buckets = {{2, 4, 1}, {4, 8, 1}, {8, 16, 5}}}}}});
  const HistoryInterval& last = model.aggregations().front().history.intervals().back();
  ASSERT_EQ(last.cells.size(), 2U);
  EXPECT_EQ(last.cells[0].low, 2);
  EXPECT_EQ(last.cells[1].low, 8);
  EXPECT_EQ(last.cells[1].amount, 3);
}

TEST(AggregationHistory, JoinsIntervalsInPairs) {
  AggregationHistory history{/*is_additive=*/true};
  constexpr int64_t count = AggregationHistory::max_intervals + 1;
  for (int64_t i = 0; i < count; ++i) history.add(0, i + 1, {{.element = 0, .amount = 1}});
  ASSERT_EQ(history.intervals().size(), AggregationHistory::max_intervals / 2 + 1);
  EXPECT_EQ(amounts(history.intervals().front()), 2);
  EXPECT_EQ(history.intervals().front().end_ns, 2);
  int64_t sum = 0;
  for (const HistoryInterval& interval : history.intervals()) sum += amounts(interval);
  EXPECT_EQ(sum, count);
}

TEST(AggregationHistory, KeepsOnlySumsOfVeryManyElements) {
  AggregationHistory history{/*is_additive=*/true};
  constexpr uint32_t elements = AggregationHistory::default_max_cells / 4;
  for (int64_t time = 1; time <= 5; ++time) {
    std::vector<HistoryCell> cells(elements);
    for (uint32_t i = 0; i < elements; ++i) cells[i] = {.element = i, .amount = 2};
    history.add(0, time, std::move(cells));
  }
  EXPECT_FALSE(history.has_elements());
  for (const HistoryInterval& interval : history.intervals()) {
    ASSERT_EQ(interval.cells.size(), 1U);
    EXPECT_EQ(interval.cells.front().amount, 2 * int64_t{elements});
  }
}

TEST(AggregationHistory, KeepsSumsWhenTheClockIsSetBack) {
  AggregationHistory history{/*is_additive=*/true};
  history.add(0, 10, {{.amount = 1}});
  history.add(0, 5, {{.amount = 2}});
  ASSERT_EQ(history.intervals().size(), 1U);
  EXPECT_EQ(amounts(history.intervals().front()), 3);
}

// sum() wraps, and so do the differences of its values.
TEST(AggregationHistory, AddsDifferencesThatWrap) {
  AggregationHistory history{/*is_additive=*/true};
  history.add(0, 10, {{.element = 0, .amount = INT64_MAX}, {.element = 0, .amount = 1}});
  EXPECT_EQ(history.intervals().front().cells.front().amount, INT64_MIN);
}

TEST(RunModel, CountsExpiredAndDroppedRowsApart) {
  RunModel model{start_with({})};
  RunUpdate update{.time_ns = second};
  update.rows.resize(RunModel::Limits{}.max_rows + 5);
  update.lost_rows = 2;
  update.drops = {{.text = "3 drops on CPU 0", .kind = "DTRACEDROP_PRINCIPAL", .count = 3},
                  {.text = "9 aggregation drops", .kind = "DTRACEDROP_AGGREGATION", .count = 9}};
  model.add(std::move(update));
  EXPECT_EQ(model.rows().size(), RunModel::Limits{}.max_rows);
  EXPECT_EQ(model.expired_rows(), 5U);
  EXPECT_EQ(model.dropped_rows(), 5U);
}

RunModel run_of(uint64_t source_hash, AggregationFunction function,
                std::vector<std::pair<std::string, int64_t>> values) {
  PictureAggregation info = counted("a", {"k"});
  info.function = function;
  info.source_hash = source_hash;
  RunStart start = start_with({info});
  start.start_ns = 5 * second;
  RunModel model{std::move(start)};
  RunUpdate update{.time_ns = 6 * second};
  for (uint32_t i = 0; i < values.size(); ++i) {
    update.new_elements.push_back({.aggregation = 0, .keys = {text_key(values[i].first)}});
    update.changes.push_back({.aggregation = 0, .element = i, .value = {.numbers = {values[i].second}}});
  }
  model.add(std::move(update));
  return model;
}

std::string shown(const RunModel& model) {
  std::string text;
  for (const PictureElement& element : model.aggregations()[0].elements)
    if (!element.is_removed) text += fmt::format("{}={} ", element.keys[0].text, element.value.numbers.at(0));
  return text;
}

TEST(RunModel, ContinuesAggregationsOfTheSameSource) {
  RunModel earlier = run_of(7, AggregationFunction::Count, {{"a", 5}, {"b", 1}});
  RunModel model = run_of(7, AggregationFunction::Count, {{"b", 2}});
  EXPECT_EQ(model.continue_from(earlier), std::vector<bool>{true});
  EXPECT_EQ(shown(model), "b=3 a=5 ");
  RunUpdate update{.time_ns = 8 * second};
  update.new_elements.push_back({.aggregation = 0, .keys = {text_key("c")}});
  update.new_elements.push_back({.aggregation = 0, .keys = {text_key("a")}});
  update.changes.push_back({.aggregation = 0, .element = 1, .value = {.numbers = {9}}});
  update.changes.push_back({.aggregation = 0, .element = 2, .value = {.numbers = {1}}});
  update.changes.push_back({.aggregation = 0, .element = 0, .value = {.numbers = {4}}});
  model.add(std::move(update));
  EXPECT_EQ(shown(model), "b=5 a=6 c=9 ");
  EXPECT_EQ(model.aggregations()[0].elements[1].created_ns, 5 * second);
}

TEST(RunModel, ContinuesExtremes) {
  RunModel earlier = run_of(7, AggregationFunction::Max, {{"a", 5}});
  RunModel model = run_of(7, AggregationFunction::Max, {{"a", 2}});
  model.continue_from(earlier);
  EXPECT_EQ(shown(model), "a=5 ");
}

TEST(RunModel, ChangedClausesStartAgain) {
  RunModel earlier = run_of(7, AggregationFunction::Count, {{"a", 5}});
  RunModel model = run_of(8, AggregationFunction::Count, {{"a", 2}});
  EXPECT_EQ(model.continue_from(earlier), std::vector<bool>{false});
  EXPECT_EQ(shown(model), "a=2 ");
}

TEST(RunModel, ElementsOfEarlierRunsExpire) {
  RunModel earlier = run_of(7, AggregationFunction::Count, {{"a", 5}, {"b", 1}});
  RunModel model = run_of(7, AggregationFunction::Count, {{"b", 2}});
  model.continue_from(earlier);
  model.expire_carried();
  EXPECT_EQ(shown(model), "b=3 ");
}

TEST(RunModel, NumbersOfRemovedElementsAreUsedAgain) {
  RunModel model = run_of(0, AggregationFunction::Count, {{"a", 5}, {"b", 1}});
  RunUpdate update{.time_ns = 8 * second};
  update.changes.push_back({.aggregation = 0, .element = 0, .value = {}, .is_removed = true});
  model.add(std::move(update));
  EXPECT_EQ(shown(model), "b=1 ");
  update = {.time_ns = 9 * second};
  update.new_elements.push_back({.aggregation = 0, .keys = {text_key("c")}, .number = 0});
  update.changes.push_back({.aggregation = 0, .element = 0, .value = {.numbers = {3}}});
  model.add(std::move(update));
  EXPECT_EQ(shown(model), "c=3 b=1 ");
  for (const HistoryInterval& interval : model.aggregations()[0].history.intervals())
    for (const HistoryCell& cell : interval.cells) EXPECT_FALSE(cell.element == 0 && cell.amount == 5);
}

}  // namespace
}  // namespace dscope::test
