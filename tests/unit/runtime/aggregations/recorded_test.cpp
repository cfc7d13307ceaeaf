// Recorded aggregations: the consumer keeps their elements, because it unwinds the stacks in their keys itself.
#include "runtime/aggregations/recorded_elements.h"

#include "arch/architecture.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class RecordedTest : public OutputTest {
 protected:
  // Adds @a[ustack(2), number] = function() to the plan and returns the layout of its records.
  UpdatePlan plan_of(AggregationFunction function, uint32_t words) {
    AggregationPlan aggregation{.name = "a", .function = function, .key_size = 32, .data_words = words};
    aggregation.keys = {{.kind = FieldKind::UserStack, .size = 24, .frames = 2}, {.offset = 24, .size = 8}};
    aggregation.has_generation = aggregation.has_state_word = function == AggregationFunction::Min;
    aggregation.value_size = aggregation.slot_size() * (aggregation.has_generation ? 2 : 1);
    aggregation.is_recorded = true;
    plan.aggregations.push_back(aggregation);
    UpdatePlan update{.fields = aggregation.keys};
    update.fields[0].has_copy = true;
    update.fields[0].size = stack_size;
    update.fields[1].offset = stack_size;
    update.fields.push_back({.kind = FieldKind::Bytes, .offset = stack_size + 8, .size = aggregation.value_size});
    return update;
  }
  void add(RecordedElements& recorded, const UpdatePlan& update, uint64_t frame, uint32_t cpu,
           const std::vector<uint64_t>& words) {
    std::vector<uint64_t> record(update.fields.back().offset / 8 + update.fields.back().size / 8, 0x77);
    record[0] = 42;
    record[1] = frame;
    record[2] = 0;
    record[3 + native_architecture().register_words] = 0;  // no stack bytes were copied
    record[stack_size / 8] = 5;
    std::copy(words.begin(), words.end(), record.end() - static_cast<long>(update.fields.back().size / 8));
    recorded.add(update, cpu, reinterpret_cast<const std::byte*>(record.data()));
  }
  static std::vector<uint64_t> numbers(const std::vector<std::byte>& bytes) {
    std::vector<uint64_t> result(bytes.size() / 8);
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  // The values of all CPUs that have one, each after the number of its CPU.
  static std::vector<uint64_t> numbers(const CpuValues& values) {
    std::vector<uint64_t> result;
    for (size_t i = 0; i < values.count(); ++i) {
      std::vector<uint64_t> value = numbers({values.value(i).begin(), values.value(i).end()});
      result.push_back(values.cpu(i));
      result.insert(result.end(), value.begin(), value.end());
    }
    return result;
  }

  const uint32_t stack_size = 24 + DS_STACK_COPY_SIZE(native_architecture().register_words, 8 << 10);
  ValuePrinter values{plan, plan.options, symbols, 0, out};
};

using Numbers = std::vector<uint64_t>;

TEST_F(RecordedTest, EqualStacksOfAllCpusAreOneElement) {
  UpdatePlan update = plan_of(AggregationFunction::Avg, 2);
  RecordedElements recorded(plan, values, source);
  add(recorded, update, 0x4010, 0, {1, 10});
  add(recorded, update, 0x4010, 1, {1, 7});
  add(recorded, update, 0x4010, 0, {1, 20});
  add(recorded, update, 0x4020, 0, {1, 1});
  add(recorded, update, 0x4020, 99, {1, 1});  // no such CPU: ignored
  auto elements = recorded.read(0);
  ASSERT_TRUE(elements && elements->size() == 2);
  EXPECT_EQ(numbers((*elements)[0].key), (Numbers{42, 0x4010, 0, 5}));
  EXPECT_EQ(numbers((*elements)[0].values), (Numbers{0, 2, 30, 1, 1, 7}));
  EXPECT_EQ(numbers((*elements)[1].values), (Numbers{0, 1, 1}));
  ASSERT_TRUE(recorded.remove(0, (*elements)[0].key));
  EXPECT_EQ(recorded.read(0)->size(), 1U);
  EXPECT_EQ(source.reads, 0);
}

TEST_F(RecordedTest, SumOfSquaresCarries) {
  UpdatePlan update = plan_of(AggregationFunction::Stddev, 4);
  RecordedElements recorded(plan, values, source);
  add(recorded, update, 0x4010, 0, {1, 1, UINT64_MAX, 3});
  add(recorded, update, 0x4010, 0, {1, 1, 2, 4});
  EXPECT_EQ(numbers(recorded.read(0)->front().values), (Numbers{0, 2, 2, 1, 8}));
}

// A record may carry an old generation: the consumer may have taken a snapshot since the record was written.
TEST_F(RecordedTest, ExtremesUseTheSlotOfTheCurrentGeneration) {
  UpdatePlan update = plan_of(AggregationFunction::Min, 1);
  RecordedElements recorded(plan, values, source);
  add(recorded, update, 0x4010, 0, {5, 1, 0, 0});
  add(recorded, update, 0x4010, 0, {0, 0, 9, 2});
  add(recorded, update, 0x4010, 0, {static_cast<uint64_t>(-3), 1, 0, 0});
  EXPECT_EQ(numbers(recorded.read(0)->front().values), (Numbers{0, static_cast<uint64_t>(-3), 1, 0, 0}));
  recorded.next_generation(0);
  add(recorded, update, 0x4010, 0, {4, 1, 0, 0});
  EXPECT_EQ(numbers(recorded.read(0)->front().values), (Numbers{0, static_cast<uint64_t>(-3), 1, 4, 2}));
}

}  // namespace
}  // namespace dscope::test
