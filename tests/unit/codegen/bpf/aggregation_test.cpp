// Compares buckets, sums of squares and signed division, compiled for the host, with the models.
#include <algorithm>

#include "buffer.h"
#include "codegen/bpf/support.h"
#include "model.h"

namespace dscope {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
constexpr int kRounds = 100000;

std::vector<int64_t> edge_values() {
  std::vector<int64_t> values = {0, INT64_MIN, INT64_MIN + 1, INT64_MAX};
  for (int bit = 0; bit < 63; bit++)
    for (int64_t near = -1; near <= 1; near++) {
      values.push_back((int64_t{1} << bit) + near);
      values.push_back(-(int64_t{1} << bit) + near);
    }
  return values;
}

TEST(SupportAggregation, QuantizeMatchesModel) {
  EXPECT_EQ(ds_quantize_bucket(0), 63u);
  EXPECT_EQ(ds_quantize_bucket(-4), 60u);
  EXPECT_EQ(ds_quantize_bucket(-7), 60u);
  EXPECT_EQ(ds_quantize_bucket(INT64_MAX), 126u);
  EXPECT_EQ(ds_quantize_bucket(INT64_MIN), 0u);
  for (int64_t value : edge_values()) EXPECT_EQ(ds_quantize_bucket(value), model::quantize_bucket(value)) << value;
}

// Searches the bucket of a magnitude among lower bounds: 0 to 63, then 32 for each power of two.
uint64_t percentile_index(uint64_t magnitude) {
  uint64_t index = 0;
  for (uint64_t i = 0; i < 1920; i++)
    if ((i < 64 ? i : (32 + i % 32) << (i / 32 - 1)) <= magnitude) index = i;
  return index;
}

TEST(SupportAggregation, PercentileMatchesModel) {
  constexpr uint64_t zero = 1888;
  EXPECT_EQ(ds_percentile_bucket(-1, 0), 1919u);
  EXPECT_EQ(ds_percentile_bucket(INT64_MAX, zero), 2 * zero - 1);
  EXPECT_EQ(ds_percentile_bucket(INT64_MIN, zero), 0u);
  for (int64_t value : edge_values()) {
    EXPECT_EQ(ds_percentile_bucket(value, 0), percentile_index(static_cast<uint64_t>(value))) << value;
    uint64_t index =
        percentile_index(value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
    EXPECT_EQ(ds_percentile_bucket(value, zero), value < 0 ? zero - index : zero + index) << value;
  }
}

TEST(SupportAggregation, LquantizeMatchesModel) {
  Random random(21);
  for (int i = 0; i < kRounds; i++) {
    int64_t base = static_cast<int32_t>(random.number());
    uint64_t levels = 1 + random.below(random.chance(20) ? 65535 : 50);
    uint64_t step = 1 + random.below(random.chance(2) ? 65535 : 10);
    int64_t near = base - 5 + static_cast<int64_t>(random.below(levels * step + 10));
    int64_t value = random.chance(4) ? random.number() : near;
    ASSERT_EQ(ds_lquantize_bucket(value, base, levels, step), model::lquantize_bucket(value, base, levels, step))
        << value << " " << base << " " << levels << " " << step;
  }
  EXPECT_EQ(ds_lquantize_bucket(INT64_MAX, INT32_MIN, 10, 1), 11u);
  EXPECT_EQ(ds_lquantize_bucket(INT64_MIN, INT32_MIN, 10, 1), 0u);
}

// factor^exponent, or 0 if it does not fit in 64 bits.
uint64_t power(uint64_t factor, uint64_t exponent) {
  UnsignedWide result = 1;
  for (uint64_t i = 0; i < exponent; i++)
    if ((result *= factor) > UINT64_MAX) return 0;
  return static_cast<uint64_t>(result);
}

// True for parameters that the checker accepts (5.3 of the reference).
bool is_valid(const model::LlquantizeShape& shape) {
  if (power(shape.factor, shape.high + 1) == 0) return false;
  if (shape.steps < shape.factor) return shape.factor % shape.steps == 0;
  if (shape.steps % shape.factor != 0) return false;
  if (shape.steps == shape.factor) return true;
  return power(shape.factor, shape.low == 0 ? 2 : shape.low + 1) % shape.steps == 0;
}

void check_llquantize(const model::LlquantizeShape& shape, int64_t value) {
  uint64_t bucket = ds_llquantize_bucket(value, shape.factor, shape.low, shape.high, shape.steps);
  ASSERT_EQ(bucket, model::llquantize_bucket(value, shape))
      << value << ": " << shape.factor << " " << shape.low << " " << shape.high << " " << shape.steps;
  ASSERT_LE(bucket, 2 * shape.bins() + 2);
}

TEST(SupportAggregation, LlquantizeMatchesReferenceExample) {
  const model::LlquantizeShape shape{10, 0, 5, 5};
  const int64_t labels[] = {1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200};
  for (int64_t value : {320, 399, 200})
    EXPECT_EQ(ds_llquantize_bucket(value, 10, 0, 5, 5), ds_llquantize_bucket(200, 10, 0, 5, 5));
  for (uint64_t i = 0; i < std::size(labels); i++) {
    EXPECT_EQ(ds_llquantize_bucket(labels[i], 10, 0, 5, 5), shape.bins() + 2 + i);
    EXPECT_EQ(ds_llquantize_bucket(-labels[i], 10, 0, 5, 5), shape.bins() - i);
  }
  EXPECT_EQ(ds_llquantize_bucket(0, 10, 0, 5, 5), shape.bins() + 1);
  EXPECT_EQ(ds_llquantize_bucket(1000000, 10, 0, 5, 5), 2 * shape.bins() + 2);
  EXPECT_EQ(ds_llquantize_bucket(-1000000, 10, 0, 5, 5), 0u);
}

// All small shapes, all values near their bounds.
TEST(SupportAggregation, LlquantizeMatchesModelForSmallShapes) {
  int shapes = 0;
  for (uint64_t factor = 2; factor <= 12; factor++)
    for (uint64_t low = 0; low <= 4; low++)
      for (uint64_t high = low; high <= low + 3; high++)
        for (uint64_t steps = 1; steps <= 150; steps++) {
          model::LlquantizeShape shape{factor, low, high, steps};
          if (!is_valid(shape)) continue;
          shapes++;
          for (int64_t value = -40; value <= 40; value++) check_llquantize(shape, value);
          for (uint64_t m = 1; m <= high + 2; m++)
            for (int64_t near = -2; near <= 2; near++) {
              int64_t bound = static_cast<int64_t>(power(factor, m));
              check_llquantize(shape, bound + near);
              check_llquantize(shape, -bound + near);
              check_llquantize(shape, bound / 3 * 2 + near);
            }
          if (HasFatalFailure()) return;
        }
  EXPECT_GT(shapes, 500);
}

TEST(SupportAggregation, LlquantizeMatchesModelForLargeShapes) {
  Random random(22);
  int shapes = 0;
  while (shapes < 2000) {
    uint64_t factor = 2 + random.below(random.chance(3) ? 65534 : 20);
    uint64_t low = random.below(20), high = low + random.below(40);
    uint64_t steps = random.chance(2)   ? factor
                     : random.chance(2) ? factor * (1 + random.below(20))
                                        : 1 + random.below(factor);
    model::LlquantizeShape shape{factor, low, high, steps};
    if (!is_valid(shape) || shape.bins() > 20000) continue;
    shapes++;
    for (int i = 0; i < 20; i++) check_llquantize(shape, random.number());
    check_llquantize(shape, INT64_MIN);
    check_llquantize(shape, INT64_MAX);
    if (HasFatalFailure()) return;
  }
}

TEST(SupportAggregation, StddevSumsSquaresIn128Bits) {
  Random random(23);
  u64 words[4] = {0, 0, 0, 0};
  uint64_t total = 0;
  UnsignedWide squares = 0;
  std::vector<int64_t> values = edge_values();
  for (int i = 0; i < 2000; i++) values.push_back(random.number());
  for (size_t i = 0; i < values.size(); i++) {
    ds_stddev_add(words, values[i]);
    total += static_cast<uint64_t>(values[i]);
    squares += static_cast<UnsignedWide>(static_cast<Wide>(values[i]) * values[i]);
    ASSERT_EQ(words[0], i + 1);
    ASSERT_EQ(words[1], total);
    ASSERT_EQ(words[2], static_cast<uint64_t>(squares));
    ASSERT_EQ(words[3], static_cast<uint64_t>(squares >> 64));
  }
}

TEST(SupportArithmetic, DividesSigned) {
  Random random(24);
  std::vector<int64_t> edges = edge_values();
  for (int i = 0; i < kRounds; i++) {
    int64_t dividend = random.chance(2) ? random.number() : edges[random.below(edges.size())];
    int64_t divisor = random.chance(2) ? random.number() : edges[random.below(edges.size())];
    if (divisor == 0 || (divisor == -1 && dividend == INT64_MIN)) continue;
    ASSERT_EQ(ds_sdiv(dividend, divisor), dividend / divisor);
    ASSERT_EQ(ds_smod(dividend, divisor), dividend % divisor);
  }
  EXPECT_EQ(ds_sdiv(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(ds_smod(INT64_MIN, -1), 0);
}

}  // namespace
}  // namespace dscope
