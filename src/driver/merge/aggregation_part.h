// One aggregation of one result, read from its JSON (docs/json-output.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/output/json_value.h"
#include "support/result.h"

namespace dscope {

struct PartElement {
  Json keys;                                      // array; its values fit AggregationPart::key_types
  std::vector<std::pair<size_t, int64_t>> words;  // index and value; the other words are 0
};

struct AggregationPart {
  // Name, function, parameters, percentiles, names of the keys, data_words and value_size. The keys are missing: their
  // layout depends on the elements of all results.
  AggregationPlan plan;
  std::vector<std::string> key_types;  // "int32", "string", "symbol", "stack", "bytes" or "address"
  uint64_t normal = 1;                 // not 0
  std::vector<PartElement> elements;
};

// The sentence of the error names the aggregation.
Result<AggregationPart> parse_aggregation(const Json& item);

// Decodes a text of the JSON output: U+EF80 to U+EFFF are bytes.
std::string traced_text(const Json& value);

}  // namespace dscope
