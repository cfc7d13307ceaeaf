// The data that the consumer sends for pictures: the totals of aggregations over the whole run, and rows.
#include "pictures/run_model.h"
#include "tests/unit/runtime/aggregations/aggregation_fixture.h"

namespace dscope::test {
namespace {

class RecorderTest : public AggregationTest, protected RunSink {
 protected:
  RecorderTest() { settings.pictures.sink = this; }

  void begin(RunStart start) override { model.emplace(std::move(start)); }
  void add(RunUpdate update) override {
    ++updates_;
    model->add(std::move(update));
  }
  void end(RunEnd end) override { model->end(end); }
  using AggregationTest::add;

  // Returns after the next update, which comes the later the longer the last one took.
  void wait_for_update() {
    int before = updates_;
    while (updates_ == before) consumer().update_pictures();
  }

  // The shown elements of aggregation 0: "key=value".
  std::string shown() const {
    std::string text;
    if (model->aggregations().front().elements.empty()) return text;
    for (const PictureElement& element : model->aggregations().front().elements)
      if (!element.is_removed) text += fmt::format("{}={} ", element.keys.front().text, element.value.numbers.front());
    return text;
  }

  std::optional<RunModel> model;
  int updates_ = 0;
};

TEST_F(RecorderTest, AddsUpWhatIsClearedAfterItWasPrinted) {
  uint32_t id = by_int();
  CannedClause print = printa({id}), clear = on(Action::Clear, {id});
  OutputTest::add(print);
  OutputTest::add(clear);
  source.put(id, key(1), 0, {5});
  feed(print);
  feed(clear);
  start_pass();
  source.put(id, key(1), 0, {7});  // the kernel counts on: 2 since clear()
  source.put(id, key(2), 1, {3});
  finish();
  EXPECT_EQ(shown(), "1=7 2=3 ");
}

TEST_F(RecorderTest, OmitsWhatIsClearedUnprinted) {
  uint32_t id = by_int();
  CannedClause clear = on(Action::Clear, {id});
  OutputTest::add(clear);
  source.put(id, key(1), 0, {5});
  feed(clear);
  start_pass();
  source.put(id, key(1), 0, {7});
  finish();
  EXPECT_EQ(shown(), "1=2 ");
}

TEST_F(RecorderTest, KeepsElementsThatTruncRemovedAfterTheyWerePrinted) {
  uint32_t id = by_int();
  CannedClause print = printa({id}), empty = on(Action::Trunc, {id});
  OutputTest::add(print);
  OutputTest::add(empty);
  source.put(id, key(1), 0, {5});
  feed(print);
  feed(empty);
  finish();
  EXPECT_EQ(shown(), "1=5 ");
}

TEST_F(RecorderTest, RemovesWhatTruncWithACountRemoves) {
  uint32_t id = by_int();
  CannedClause keep_one = trunc(id, 1);
  OutputTest::add(keep_one);
  source.put(id, key(1), 0, {5});
  source.put(id, key(2), 0, {9});
  consumer();
  feed(keep_one);
  finish();
  EXPECT_EQ(shown(), "2=9 ");
}

// Which elements come first depends on the order of the table.
TEST_F(RecorderTest, SumsUpElementsBeyondTheLimit) {
  settings.pictures.max_elements = 1;
  uint32_t id = by_int();
  CannedClause print = printa({id}), clear = on(Action::Clear, {id});
  OutputTest::add(print);
  OutputTest::add(clear);
  for (int i = 1; i <= 3; ++i) source.put(id, key(i), 0, {100});
  feed(print);
  feed(clear);
  start_pass();
  for (int i = 1; i <= 4; ++i) source.put(id, key(i), 0, {i == 4 ? 7 : 110});  // 10 since clear(), and a new one
  finish();
  const std::vector<PictureElement>& elements = model->aggregations().front().elements;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_FALSE(elements[0].is_overflow);
  EXPECT_EQ(elements[0].value.numbers.front(), 110);
  EXPECT_TRUE(elements[1].is_overflow);
  EXPECT_TRUE(elements[1].keys.empty());
  EXPECT_EQ(elements[1].value.numbers.front(), 2 * 110 + 7);
}

TEST_F(RecorderTest, EmptiesTheTableOfElementsBeyondTheLimit) {
  settings.pictures.max_elements = 2;
  settings.pictures.min_period = std::chrono::milliseconds{0};
  uint32_t id = by_int();
  consumer();
  constexpr int rounds = 20, keys = 50;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < keys; ++i) source.put(id, key(round * keys + i), 0, {3});
    wait_for_update();
  }
  EXPECT_EQ(source.elements[id].size(), 2U);
  finish();
  const std::vector<PictureElement>& elements = model->aggregations().front().elements;
  ASSERT_EQ(elements.size(), 3U);
  int64_t sum = 0;
  for (const PictureElement& element : elements) sum += element.value.numbers.front();
  EXPECT_EQ(sum, rounds * keys * 3);
}

TEST_F(RecorderTest, KeepsExtremesOfElementsBeyondTheLimit) {
  settings.pictures.max_elements = 1;
  settings.pictures.min_period = std::chrono::milliseconds{0};
  uint32_t id = by_int(AggregationFunction::Min);
  consumer();
  source.put_extreme(id, key(1), 0, 5);
  wait_for_update();
  source.put_extreme(id, key(2), 0, 3);
  wait_for_update();
  source.put_extreme(id, key(3), 0, 4);
  finish();
  const std::vector<PictureElement>& elements = model->aggregations().front().elements;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].value.numbers.front(), 5);
  EXPECT_EQ(elements[1].value.numbers.front(), 3);
}

TEST_F(RecorderTest, AddsUpdatesThatFoundNoRoom) {
  settings.pictures.max_elements = 1;
  settings.pictures.min_period = std::chrono::milliseconds{0};
  uint32_t id = by_int();
  consumer();
  auto set_no_room = [&](int64_t first_cpu, int64_t second_cpu) {
    source.no_room[id] = CpuValues{sizeof(int64_t)};
    source.no_room[id].append(0, reinterpret_cast<const std::byte*>(&first_cpu));
    source.no_room[id].append(1, reinterpret_cast<const std::byte*>(&second_cpu));
  };
  source.put(id, key(1), 0, {5});
  set_no_room(0, 0);
  wait_for_update();
  EXPECT_EQ(model->aggregations().front().elements.size(), 1U);
  source.put(id, key(2), 0, {7});  // beyond the limit, removed from the table
  set_no_room(2, 3);
  wait_for_update();
  set_no_room(10, 30);  // totals since the start
  finish();
  const std::vector<PictureElement>& elements = model->aggregations().front().elements;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].value.numbers.front(), 5);
  EXPECT_TRUE(elements[1].is_overflow);
  EXPECT_EQ(elements[1].value.numbers.front(), 47);
}

TEST_F(RecorderTest, ForgetsElementsThatHaveNotChanged) {
  settings.pictures.max_elements = 2;
  settings.pictures.min_period = std::chrono::milliseconds{0};
  settings.pictures.max_idle = std::chrono::milliseconds{2};
  uint32_t id = by_int();
  consumer();
  source.put(id, key(1), 0, {5});
  source.put(id, key(2), 0, {1});
  for (int64_t i = 2; shown().find("1=5") != std::string::npos || i < 4; ++i) {
    wait_for_update();
    source.put(id, key(2), 0, {i});
  }
  wait_for_update();
  source.put(id, key(3), 0, {8});  // gets the place
  wait_for_update();
  const std::vector<PictureElement>& elements = model->aggregations().front().elements;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_NE(shown().find("3=8"), std::string::npos) << shown();
  source.put(id, key(1), 0, {2});  // counts from its start again, beyond the limit
  finish();
  EXPECT_EQ(model->aggregations().front().elements.at(2).value.numbers.front(), 2);
  EXPECT_GT(elements[1].created_ns, 0);
}

TEST_F(RecorderTest, SendsThePartsOfAverages) {
  uint32_t id = add_aggregation(AggregationFunction::Avg, {}, 2);
  source.put(id, {}, 0, {4, 30, 1});
  finish();
  const PictureValue& value = model->aggregations().front().elements.front().value;
  EXPECT_EQ(value.numbers.front(), 7);
  EXPECT_EQ(value.parts, (PictureParts{.count = 4, .sum = 30}));
}

TEST_F(RecorderTest, MergesTheExtremesOfSeveralPeriods) {
  uint32_t id = by_int(AggregationFunction::Max);
  CannedClause print = printa({id}), clear = on(Action::Clear, {id});
  OutputTest::add(print);
  OutputTest::add(clear);
  source.put_extreme(id, key(1), 0, 50);
  feed(print);
  feed(clear);
  start_pass();
  source.put_extreme(id, key(1), 0, 20);
  finish();
  EXPECT_EQ(shown(), "1=50 ");
}

TEST_F(RecorderTest, DividesByTheNormal) {
  uint32_t id = by_int();
  CannedClause normalize = clause();
  normalize.action(Action::Normalize, {normalize.layout.integer(uint64_t{10})}).on({id});
  OutputTest::add(normalize);
  source.put(id, key(1), 0, {50});
  feed(normalize);
  finish();
  EXPECT_EQ(shown(), "1=5 ");
}

TEST_F(RecorderTest, BucketsHaveTheBoundsOfTheirValues) {
  uint32_t id = add_aggregation(AggregationFunction::Quantize, {}, 127);
  std::vector<int64_t> words(128);
  words[0] = 1;    // the smallest numbers
  words[62] = 2;   // -1
  words[63] = 3;   // 0
  words[67] = 4;   // 8 to 15
  words[126] = 5;  // the largest numbers
  words[127] = 1;  // the state word
  source.put(id, {}, 0, words);
  finish();
  const std::vector<PictureBucket>& buckets = model->aggregations().front().elements.front().value.buckets;
  ASSERT_EQ(buckets.size(), 5U);
  EXPECT_EQ(buckets[0].low, INT64_MIN);
  EXPECT_EQ(buckets[0].high, -(int64_t{1} << 62) + 1);
  EXPECT_EQ(buckets[1].low, -1);
  EXPECT_EQ(buckets[1].high, 0);
  EXPECT_EQ(buckets[2].low, 0);
  EXPECT_EQ(buckets[2].high, 1);
  EXPECT_EQ(buckets[3].low, 8);
  EXPECT_EQ(buckets[3].high, 16);
  EXPECT_EQ(buckets[3].count, 4);
  EXPECT_EQ(buckets[4].high, INT64_MAX);
}

TEST_F(RecorderTest, RowsHaveTheirTextAndStamp) {
  set(OptionId::Rowstamps);
  CannedClause traced = clause();
  uint64_t stamp[] = {123'456, uint64_t{7} << 32 | 8, 0, 0};
  std::memcpy(&stamp[2], "cat", 3);
  traced.layout.raw({reinterpret_cast<const char*>(stamp), sizeof stamp});
  traced.action(Action::Trace, {traced.layout.integer(int32_t{42})});
  feed(traced);
  finish();
  ASSERT_EQ(model->rows().size(), 1U);
  const PictureRow& row = model->rows().front();
  EXPECT_NE(row.text.find("42"), std::string::npos);
  EXPECT_EQ(row.monotonic_ns, 123'456U);
  EXPECT_EQ(row.pid, 7U);
  EXPECT_EQ(row.tid, 8U);
  EXPECT_EQ(row.execname, "cat");
}

TEST_F(RecorderTest, RowsHaveTheStacksThatTheyPrint) {
  settings.pictures.records_stacks = true;
  CannedClause traced = clause();
  Field user = traced.layout.user_stack(42, {0x5000, 0x4000, 0});
  Field kernel = traced.layout.stack({kernel_base + 0x1010, kernel_base + 0x2000, 0});
  traced.action(Action::Ustack, {user}).action(Action::Stack, {kernel});
  feed(traced);
  finish();
  ASSERT_EQ(model->rows().size(), 1U);
  std::vector<PictureFrame> expected{
      {"vmlinux`vfs_read", true}, {"vmlinux`ksys_read", true}, {"prog`helper", false}, {"prog`main", false}};
  EXPECT_EQ(model->rows().front().stack, expected);
}

TEST_F(RecorderTest, StacksOfRowsAreOptional) {
  CannedClause traced = clause();
  traced.action(Action::Stack, {traced.layout.stack({kernel_base + 0x1010, 0})});
  feed(traced);
  finish();
  EXPECT_TRUE(model->rows().front().stack.empty());
}

}  // namespace
}  // namespace dscope::test
