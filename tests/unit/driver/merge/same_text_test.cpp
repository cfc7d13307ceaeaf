// The result of one run, merged alone, prints as the run itself.
#include "merge_fixture.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

class SameText : public OutputTest {
 protected:
  std::string finish_as(const std::string& format) {
    EXPECT_TRUE(plan.options.set("format", format, true, OptionOrigin::CommandLine));
    restart();
    return finish();
  }

  // Compares the aggregations of the plan in each format.
  void expect_same_text() {
    std::string json = finish_as("json");
    for (const char* format : {"text", "csv", "folded"}) {
      messages.take();
      std::string expected = finish_as(format);
      expected += messages.take();  // folded: the aggregations without stacks
      Merged merged = merge({json}, format);
      EXPECT_EQ(merged.out + merged.messages, expected) << json;
      EXPECT_EQ(merged.refusal, "");
    }
  }

  uint32_t add(AggregationFunction function, const std::vector<Field>& keys, uint32_t words,
               const std::vector<int64_t>& parameters = {}) {
    uint32_t id = add_aggregation(function, keys, words);
    std::copy(parameters.begin(), parameters.end(), plan.aggregations[id].parameters);
    for (size_t i = 0; i < keys.size(); ++i) plan.aggregations[id].columns.push_back("k" + std::to_string(i));
    return id;
  }
};

TEST_F(SameText, Numbers) {
  for (auto [function, words] : {std::pair{AggregationFunction::Count, 1U},
                                 {AggregationFunction::Sum, 1U},
                                 {AggregationFunction::Avg, 2U},
                                 {AggregationFunction::Stddev, 4U}}) {
    Layout first, second, third;
    Field text = first.string("read", 16), number = first.integer(int32_t{-7}), small = first.integer(uint8_t{200});
    second.string("a \xff\t;b", 16);
    second.integer(int32_t{3});
    second.integer(uint8_t{1});
    third.string("read", 16);
    third.integer(int32_t{8});
    third.integer(uint8_t{1});
    uint32_t id = add(function, {text, number, small}, words);
    source.put(id, first.bytes(), 0, {5, -40, 1000, 0});
    source.put(id, second.bytes(), 1, {5, INT64_MIN, -1, 7});
    source.put(id, third.bytes(), 1, {INT64_MAX, 3, 0, INT64_MAX});
  }
  expect_same_text();
}

TEST_F(SameText, Extremes) {
  for (AggregationFunction function : {AggregationFunction::Min, AggregationFunction::Max}) {
    Layout first, second;
    Field key = first.integer(UINT64_MAX);
    second.integer(uint64_t{1});
    uint32_t id = add(function, {key}, 1);
    source.put_extreme(id, first.bytes(), 0, INT64_MIN);
    source.put_extreme(id, second.bytes(), 1, INT64_MAX);
  }
  expect_same_text();
}

TEST_F(SameText, Distributions) {
  auto put = [&](uint32_t id, std::vector<int64_t> words, std::initializer_list<size_t> used) {
    int64_t count = 1;
    for (size_t word : used) words[word] = count++;
    source.put(id, {}, 0, words);
  };
  std::vector<int64_t> words(128);
  words[127] = 1;  // the state word of an aggregation without keys
  put(add(AggregationFunction::Quantize, {}, 127), words, {0, 40, 62, 63, 64, 126});
  put(add(AggregationFunction::Lquantize, {}, 4, {-10, 2, 10}), {0, 0, 0, 0, 1}, {0, 2, 3});
  std::vector<int64_t> bins(2 * 19 + 3 + 1);
  bins.back() = 1;
  uint32_t id = add(AggregationFunction::Llquantize, {}, 2 * 18 + 3, {10, 1, 2, 10});
  bins.resize(2 * 18 + 3 + 1);
  bins.back() = 1;
  put(id, bins, {0, 3, 19, 20, 38});
  expect_same_text();
}

TEST_F(SameText, Percentiles) {
  Layout key;
  Field name = key.string("dd", 8);
  uint32_t id = add(AggregationFunction::Percentile, {name}, signed_percentile_words, {signed_percentile_zero});
  plan.aggregations[id].percentiles = {50000, 99000, 99900};
  std::vector<int64_t> words(signed_percentile_words);
  words[0] = words[3] = 5;
  words[signed_percentile_zero + 300] = 7;
  words[signed_percentile_words - 1] = 9;
  source.put(id, key.bytes(), 0, words);
  expect_same_text();
}

TEST_F(SameText, AddressesAndStacks) {
  Layout first, second;
  Field sym = first.kernel_address(kernel_base + 0x2004, Action::Sym);
  Field uaddr = first.user_address(42, 0x4010, Action::Uaddr);
  Field stack = first.stack({kernel_base + 0x1010, kernel_base + 0x2000, 17, 0});
  Field user = first.user_stack(42, {0x4000, 0x5004, 0});
  second.kernel_address(kernel_base + 0x1004, Action::Sym);
  second.user_address(42, 0x7010, Action::Uaddr);
  second.stack({kernel_base + 0x1020, 0, 0, 0});
  second.user_stack(42, {0x5000, 0, 0});
  uint32_t id = add(AggregationFunction::Count, {sym, uaddr, stack, user}, 1);
  source.put(id, first.bytes(), 0, {1});
  source.put(id, second.bytes(), 0, {2});
  expect_same_text();
}

TEST_F(SameText, Bytes) {
  Layout first, second;
  Field word = first.raw(std::string("\1\0\0\0", 4)), block = first.raw(std::string("abcdefg\x01\xff", 9));
  second.raw(std::string("\xff\xff\xff\xff", 4));
  second.raw(std::string("abcdefghi", 9));
  uint32_t id = add(AggregationFunction::Count, {word, block}, 1);
  source.put(id, first.bytes(), 0, {1});
  source.put(id, second.bytes(), 0, {2});
  expect_same_text();
}

}  // namespace
}  // namespace dscope::test
