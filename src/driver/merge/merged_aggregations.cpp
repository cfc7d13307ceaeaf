#include "driver/merge/merged_aggregations.h"

#include <algorithm>

#include "runtime/aggregations/aggregation_value.h"
#include "support/text/format_join.h"

namespace dscope {

namespace {

// Equal for keys that print equal: addresses of code differ between machines.
std::string key_of(const Json& keys) {
  Json comparable = keys;
  for (Json& key : comparable)
    for (const char* name : {"stack-frames", "ustack-frames"})
      if (key.is_object() && key.contains(name))
        for (Json& frame : key[name]) frame.erase("address");
  return comparable.dump();
}

std::string parameters_text(const AggregationPlan& plan) {
  const int64_t* values = plan.parameters;
  if (plan.function == AggregationFunction::Lquantize)
    return fmt::format("base {}, {} levels, step {}", values[0], values[1], values[2]);
  if (plan.function == AggregationFunction::Llquantize)
    return fmt::format("factor {}, magnitudes {} to {}, {} steps", values[0], values[1], values[2], values[3]);
  std::string text = values[0] != 0 ? "signed values" : "unsigned values";
  for (PercentileNumber each : plan.percentiles) text += fmt::format(", p{}", percentile_text(each));
  return text;
}

std::string keys_text(const std::vector<std::string>& types) {
  return types.empty() ? "no keys" : fmt::format("keys ({})", fmt::join(types, ", "));
}

// The difference as "X in FILE, Y in FILE"; empty if the part can be added.
std::string difference(const MergedAggregation& merged, const AggregationPart& part, std::string_view result) {
  auto differ = [&](const std::string& first, const std::string& second) {
    return fmt::format("{} in {}, {} in {}", first, merged.origin, second, result);
  };
  if (merged.plan.function != part.plan.function)
    return differ(fmt::format("{}()", row(merged.plan.function).name),
                  fmt::format("{}()", row(part.plan.function).name));
  if (!std::ranges::equal(merged.plan.parameters, part.plan.parameters) ||
      merged.plan.percentiles != part.plan.percentiles)
    return differ(parameters_text(merged.plan), parameters_text(part.plan));
  if (merged.key_types != part.key_types) return differ(keys_text(merged.key_types), keys_text(part.key_types));
  if (merged.normal != part.normal)
    return differ(fmt::format("normalized by {}", merged.normal), fmt::format("normalized by {}", part.normal));
  return {};
}

void add_element(MergedAggregation& merged, const PartElement& element) {
  std::vector<int64_t> words(merged.plan.data_words);
  for (auto [index, value] : element.words) words[index] = value;
  auto [found, is_new] = merged.by_key.try_emplace(key_of(element.keys), merged.elements.size());
  if (is_new) merged.elements.push_back({.keys = element.keys, .words = std::move(words)});
  else merge_words(merged.plan, merged.elements[found->second].words, words);
}

}  // namespace

Result<> MergedAggregations::add(const std::vector<AggregationPart>& parts, std::string_view result) {
  size_t next = 0;  // the position of an aggregation that is new
  for (const AggregationPart& part : parts) {
    auto found = std::ranges::find(aggregations_, part.plan.name,
                                   [](const MergedAggregation& merged) { return merged.plan.name; });
    if (found == aggregations_.end()) {
      MergedAggregation added{.plan = part.plan,
                              .key_types = part.key_types,
                              .normal = part.normal,
                              .origin = std::string{result},
                              .elements = {},
                              .by_key = {}};
      found = aggregations_.insert(aggregations_.begin() + static_cast<ptrdiff_t>(next), std::move(added));
    } else if (std::string reason = difference(*found, part, result); !reason.empty() && !part.elements.empty()) {
      return fail(Error::make("@{} cannot be merged: {}", part.plan.name, reason));
    }
    for (const PartElement& element : part.elements) add_element(*found, element);
    next = static_cast<size_t>(found - aggregations_.begin()) + 1;
  }
  return {};
}

}  // namespace dscope
