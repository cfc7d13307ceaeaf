#include "runtime/session/adjustment_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(AdjustmentText, SizesUseTheLargestExactUnit) {
  EXPECT_EQ(lowered_size_text("buffer size", 512ULL << 20), "buffer size lowered to 512m");
  EXPECT_EQ(lowered_size_text("buffer size", 1ULL << 40), "buffer size lowered to 1t");
  EXPECT_EQ(lowered_size_text("buffer size", 1536), "buffer size lowered to 1536 bytes");
  EXPECT_EQ(lowered_size_text("buffer size", 3 << 10), "buffer size lowered to 3k");
}

TEST(AdjustmentText, ReducedOptionsAreNamedOnce) {
  OptionValues options;
  options.set_number(OptionId::Aggsize, 1LL << 40);
  MapPlan small{.size_option = OptionId::Aggsize, .requested_entries = 1ULL << 30};
  MapPlan smaller{.size_option = OptionId::Aggsize, .requested_entries = 1ULL << 32};
  MapPlan usual{.size_option = OptionId::Dynvarsize, .requested_entries = 100};
  MapPlan other{.max_entries = 100};
  EXPECT_EQ(lowered_size_texts(options, {{&small, 1 << 20}, {&smaller, 1 << 20}, {&usual, 100}, {&other, 1}}),
            std::vector<std::string>{"aggregation size lowered to 256m"});
}

TEST(AdjustmentText, AggregationsNameTheirBudget) {
  MapPlan large{.key_size = 16, .value_size = 8, .max_entries = 1 << 20};
  MapPlan small{.key_size = 8, .value_size = 8, .max_entries = 1000};
  EXPECT_EQ(aggregation_memory_text(400ULL << 20, {{&large, 1 << 17}, {&small, 1000}}),
            "aggregations have 132072 elements in 12 MiB; the budget is 400 MiB (-x aggmemory)");
}

TEST(AdjustmentText, RatesAreFrequenciesOrPeriods) {
  EXPECT_EQ(reduced_rate_text("status rate", 1'000'000), "status rate reduced to 1000 hz");
  EXPECT_EQ(reduced_rate_text("status rate", 1'000'000'000), "status rate reduced to 1 hz");
  EXPECT_EQ(reduced_rate_text("status rate", 3'000'000'000), "status rate reduced to once every 3 seconds");
  EXPECT_EQ(reduced_rate_text("status rate", 1'500'000'000),
            "status rate reduced to once every 1500000000 nanoseconds");
}

}  // namespace
}  // namespace dscope
