// count(), sum(), min(), max(), avg(), stddev(): one number each.
#include "runtime/aggregations/aggregation_value.h"

namespace dscope {

namespace {

__extension__ typedef unsigned __int128 Uint128;

// Floor of the square root, bit by bit from the top.
uint64_t square_root(Uint128 value) {
  Uint128 root = 0;
  for (Uint128 bit = Uint128{1} << 126; bit != 0; bit >>= 2) {
    if (value >= root + bit) {
      value -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return static_cast<uint64_t>(root);
}

int64_t average(int64_t count, int64_t total, uint64_t normal) {
  return count == 0 ? 0 : normalized(total, normal) / count;
}

// The sum of squares is one 128-bit number.
constexpr size_t low_square = 2, high_square = 3;

// words: count, total, low and high word of the sum of squares.
uint64_t standard_deviation(AggregationWords words, uint64_t normal) {
  int64_t count = words[0];
  if (count == 0) return 0;
  int64_t mean = average(count, words[1], normal);
  auto magnitude = mean < 0 ? uint64_t{0} - static_cast<uint64_t>(mean) : static_cast<uint64_t>(mean);
  Uint128 squares =
      (Uint128{static_cast<uint64_t>(words[high_square])} << 64) | static_cast<uint64_t>(words[low_square]);
  Uint128 mean_square = squares / normal / static_cast<uint64_t>(count);
  Uint128 square_mean = Uint128{magnitude} * magnitude;
  return mean_square < square_mean ? 0 : square_root(mean_square - square_mean);
}

int64_t first_word(AggregationWords words, uint64_t normal) { return words.empty() ? 0 : normalized(words[0], normal); }

int64_t average_of_words(AggregationWords words, uint64_t normal) {
  return words.size() < 2 ? first_word(words, normal) : average(words[0], words[1], normal);
}

int64_t deviation_of_words(AggregationWords words, uint64_t normal) {
  return words.size() < 4 ? first_word(words, normal) : static_cast<int64_t>(standard_deviation(words, normal));
}

}  // namespace

const AggregationRendering rendering_Avg{.scalar = average_of_words};
const AggregationRendering rendering_Count{.scalar = first_word, .has_bar = true};
const AggregationRendering rendering_Max{.scalar = first_word};
const AggregationRendering rendering_Min{.scalar = first_word};
const AggregationRendering rendering_Stddev{.scalar = deviation_of_words, .is_unsigned = true, .wide_word = low_square};
const AggregationRendering rendering_Sum{.scalar = first_word, .has_bar = true};

}  // namespace dscope
