// BucketWords: finds the word of an aggregation that a bucket of its JSON describes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "contract/program_plan.h"
#include "support/result.h"

namespace dscope {

// The number of words that counts the values of a function with these parameters. An error if no D program can have
// them.
Result<uint32_t> count_words(const AggregationPlan& plan);

class BucketWords {
 public:
  // `plan`: function, valid parameters and data_words of a distribution or of percentile().
  explicit BucketWords(const AggregationPlan& plan);

  // The word of a bucket with this bound (percentile(): the middle) and relation ("<", ">=" ..., or empty).
  std::optional<size_t> find(const std::string& relation, int64_t value) const;

 private:
  std::map<std::pair<int64_t, std::string>, size_t> words_;
};

}  // namespace dscope
