// percentile() and the percentiles of distributions: values, columns, order, and the machine-readable forms.
#include "contract/percentile.h"

#include "runtime/aggregations/aggregation_value.h"
#include "tests/unit/runtime/aggregations/aggregation_fixture.h"

namespace dscope::test {
namespace {

// The word of a value from 0 up, as codegen/bpf/aggregation.bpf.c computes it.
size_t bucket_of(uint64_t value) {
  for (uint32_t i = unsigned_percentile_words; i-- > 0;) {
    uint64_t lower = i < 64 ? i : uint64_t{32 + i % 32} << (i / 32 - 1);
    if (lower <= value) return i;
  }
  return 0;
}

class PercentileTest : public AggregationTest {
 protected:
  // @name[int] = percentile(unsigned value, percentiles).
  uint32_t percentile(std::vector<PercentileNumber> percentiles) {
    Layout key;
    uint32_t id =
        add_aggregation(AggregationFunction::Percentile, {key.integer(int32_t{0})}, unsigned_percentile_words);
    plan.aggregations[id].percentiles = std::move(percentiles);
    return id;
  }
  void put_values(uint32_t id, int32_t of_key, const std::vector<uint64_t>& values, uint32_t cpu = 0) {
    std::vector<int64_t> words(unsigned_percentile_words);
    for (uint64_t value : values) ++words[bucket_of(value)];
    source.put(id, key(of_key), cpu, words);
  }
  static std::vector<uint64_t> up_to(uint64_t last) {
    std::vector<uint64_t> values;
    for (uint64_t i = 1; i <= last; ++i) values.push_back(i);
    return values;
  }
};

TEST(Percentile, ParsesAndPrintsNumbersFrom0To100) {
  EXPECT_EQ(parse_percentile("0"), 0U);
  EXPECT_EQ(parse_percentile("50"), 50'000U);
  EXPECT_EQ(parse_percentile("99.9"), 99'900U);
  EXPECT_EQ(parse_percentile("99.999"), 99'999U);
  EXPECT_EQ(parse_percentile("100.000"), 100'000U);
  for (const char* text :
       {"", "-1", "100.001", "101", "999", "99.9999", ".5", "5.", "1.2.3", "5%", "99999999999999999999"})
    EXPECT_FALSE(parse_percentile(text)) << text;
  EXPECT_EQ(percentile_text(99'900), "99.9");
  EXPECT_EQ(percentile_text(100'000), "100");
  EXPECT_EQ(percentile_text(0), "0");
  EXPECT_EQ(percentile_text(5), "0.005");
}

// The documented bound of the error: 1/64.
TEST(Percentile, MiddlesAreWithinTheDocumentedError) {
  for (uint64_t value = 0; value < 64; ++value)
    EXPECT_EQ(middle_of_percentile_bucket(static_cast<uint32_t>(value)), value);
  for (int bit = 6; bit < 64; ++bit) {
    for (uint64_t part = 0; part < 97; ++part) {
      uint64_t value = (uint64_t{1} << bit) + (uint64_t{1} << bit) / 97 * part;
      uint64_t middle = middle_of_percentile_bucket(static_cast<uint32_t>(bucket_of(value)));
      uint64_t error = middle > value ? middle - value : value - middle;
      EXPECT_LE(error, value / 64) << value;
    }
  }
}

TEST_F(PercentileTest, PrintsColumnsUnderTheirNames) {
  uint32_t id = percentile({50'000, 95'000, 99'900});
  put_values(id, 1, up_to(60));
  put_values(id, 1, {61, 62, 63}, 1);
  EXPECT_EQ(finish(),
            "\n"
            "                       p50              p95            p99.9\n"
            "        1               32               60               63\n");
}

TEST_F(PercentileTest, RanksStartAtTheSmallestValue) {
  uint32_t id = percentile({0, 100'000});
  put_values(id, 1, {7, 9, 40});
  EXPECT_EQ(print(printa("%@d, %@p0d %@p33d %@p34d %@5p100d|\n", {id})), "7 40, 7 7 9    40|\n");
}

TEST_F(PercentileTest, NegativeValuesHaveBucketsOfTheirOwn) {
  Layout key_layout;
  uint32_t id =
      add_aggregation(AggregationFunction::Percentile, {key_layout.integer(int32_t{0})}, signed_percentile_words);
  plan.aggregations[id].percentiles = {50'000};
  plan.aggregations[id].parameters[0] = signed_percentile_zero;
  std::vector<int64_t> words(signed_percentile_words);
  words[signed_percentile_zero - 1888] = words[signed_percentile_zero - 5] = words[signed_percentile_zero] = 1;
  words[signed_percentile_words - 1] = 1;
  source.put(id, key(1), 0, words);
  EXPECT_EQ(print(printa("%@p1d %@p50d %@p75d %@p100d\n", {id})), "-9223372036854775808 -5 0 9151314442816847871\n");
}

// By the last percentile of the list.
TEST_F(PercentileTest, SortsAndTruncatesByTheLastPercentile) {
  uint32_t id = percentile({50'000, 100'000});
  put_values(id, 1, {5, 5, 30});
  put_values(id, 2, {20, 20, 20});
  put_values(id, 3, {1, 1, 40});
  CannedClause keep = trunc(id, 2), print_it = printa("%d:%@p50d ", {id});
  for (CannedClause* canned : {&keep, &print_it}) add(*canned);
  feed(print_it);
  EXPECT_EQ(output(), "2:20 1:5 3:1 ");
  feed(keep);
  feed(print_it);
  EXPECT_EQ(output(), "1:5 3:1 ");
}

TEST_F(PercentileTest, NormalizeDividesThePercentiles) {
  uint32_t id = percentile({50'000});
  put_values(id, 1, {60});
  CannedClause normalize = clause(), print_it = printa("%@d %@p99d ", {id}),
               denormalize = on(Action::Denormalize, {id});
  normalize.action(Action::Normalize, {normalize.layout.integer(uint64_t{20})}).on({id});
  for (CannedClause* canned : {&normalize, &print_it, &denormalize}) add(*canned);
  feed(normalize);
  feed(print_it);
  feed(denormalize);
  feed(print_it);
  EXPECT_EQ(output(), "3 3 60 60 ");
}

TEST_F(PercentileTest, ClearKeepsTheKeysWithZeros) {
  uint32_t id = percentile({50'000, 99'000});
  put_values(id, 1, {60});
  CannedClause clear = on(Action::Clear, {id}), print_it = printa("%d:%@d ", {id});
  for (CannedClause* canned : {&clear, &print_it}) add(*canned);
  feed(clear);
  feed(print_it);
  EXPECT_EQ(output(), "1:0 0 ");
  put_values(id, 1, {60, 9});
  start_pass();
  feed(print_it);
  EXPECT_EQ(output(), "1:9 9 ");
}

TEST_F(PercentileTest, PrintsWithOtherAggregations) {
  uint32_t count = by_int(AggregationFunction::Count), id = percentile({50'000, 99'000});
  plan.aggregations[count].name = "calls";
  source.put(count, key(1), 0, {2});
  put_values(id, 1, {8, 9});
  EXPECT_EQ(print(printa({count, id})),
            "\n"
            "                    @calls              p50              p99\n"
            "        1                2                8                9\n");
  EXPECT_EQ(print(printa("%@d %@p50d %@p99d\n", {count, id})), "2 8 9\n");
}

TEST_F(PercentileTest, CsvHasAColumnForEachPercentile) {
  uint32_t count = by_int(AggregationFunction::Count), id = percentile({50'000, 99'900});
  Layout int_key;
  uint32_t sizes = add_aggregation(AggregationFunction::Quantize, {int_key.integer(int32_t{0})}, 127);
  plan.aggregations[count].name = "n";
  plan.aggregations[id].name = "ns";
  plan.aggregations[sizes].name = "size";
  source.put(count, key(1), 0, {2});
  put_values(id, 1, {8, 9});
  ASSERT_TRUE(plan.options.set("format", "csv", true, OptionOrigin::CommandLine));
  EXPECT_EQ(print(printa({count, id})), "key1,@n,@ns.p50,@ns.p99.9\n1,2,8,9\n");
  EXPECT_EQ(print(printa({id, sizes, count})),
            "key1,bucket,@ns.p50,@ns.p99.9,@size,@n\n"
            "1,,8,9,,\n"
            "1,-1,,,0,\n"
            "1,0,,,0,\n"
            "1,1,,,0,\n"
            "1,,,,,2\n");
}

TEST_F(PercentileTest, DistributionsHavePercentilesToo) {
  Layout a, b, c;
  uint32_t quantize = add_aggregation(AggregationFunction::Quantize, {a.integer(int32_t{0})}, 127);
  uint32_t linear = add_aggregation(AggregationFunction::Lquantize, {b.integer(int32_t{0})}, 7);
  uint32_t loglinear = add_aggregation(AggregationFunction::Llquantize, {c.integer(int32_t{0})}, 35);
  std::copy_n(std::to_array<int64_t>({-10, 5, 10, 0}).begin(), 4, plan.aggregations[linear].parameters);
  std::copy_n(std::to_array<int64_t>({10, 0, 1, 10}).begin(), 4, plan.aggregations[loglinear].parameters);
  std::vector<int64_t> words(127);
  words[63 - 3] = words[63] = words[63 + 1] = words[63 + 11] = 1;  // -7 ... -4, 0, 1, 1024 ...
  words[0] = -1;                                                   // a negative count
  source.put(quantize, key(1), 0, words);
  source.put(linear, key(1), 0, {1, 1, 0, 0, 0, 1, 1});
  words.assign(39, 0);
  words[19 + 1] = words[19 + 11] = words[38] = words[19 - 12] = 1;
  plan.aggregations[loglinear].data_words = 39;
  source.put(loglinear, key(1), 0, words);
  EXPECT_EQ(print(printa("%@p25d %@p50d %@p75d %@p100d\n", {quantize})), "-5 0 1 1535\n");
  EXPECT_EQ(print(printa("%@p25d %@p50d %@p75d %@p100d\n", {linear})), "-11 -6 34 40\n");
  EXPECT_EQ(print(printa("%@p25d %@p50d %@p75d %@p100d\n", {loglinear})), "-34 1 24 100\n");
}

}  // namespace
}  // namespace dscope::test
