// MergedAggregations: the aggregations of several results, added up.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/merge/aggregation_part.h"

namespace dscope {

struct MergedElement {
  Json keys;                   // of the first result that has the element
  std::vector<int64_t> words;  // AggregationPlan::data_words
};

struct MergedAggregation {
  AggregationPlan plan;  // without keys
  std::vector<std::string> key_types;
  uint64_t normal = 1;
  std::string origin;  // the first result that has the aggregation
  std::vector<MergedElement> elements;
  std::unordered_map<std::string, size_t> by_key;  // index into `elements`
};

class MergedAggregations {
 public:
  // Adds the aggregations of a whole result, in its order. The error of aggregations that cannot be added up names both
  // results.
  Result<> add(const std::vector<AggregationPart>& parts, std::string_view result);

  // In the order of the results: an aggregation that is missing in earlier ones follows the one before it.
  const std::vector<MergedAggregation>& all() const { return aggregations_; }

 private:
  std::vector<MergedAggregation> aggregations_;
};

}  // namespace dscope
