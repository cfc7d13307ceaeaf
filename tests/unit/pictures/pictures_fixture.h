// Small runs for tests of pictures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pictures/run_model.h"

namespace dscope::test {

constexpr int64_t second = 1'000'000'000;

inline RunStart start_with(std::vector<PictureAggregation> aggregations) {
  RunStart start;
  start.script = "test script";
  start.probes = {{"syscall", "vmlinux", "read", "entry"}, {"syscall", "vmlinux", "read", "return"}};
  start.aggregations = std::move(aggregations);
  return start;
}

inline PictureAggregation counted(std::string name, std::vector<std::string> keys) {
  return {.name = std::move(name), .function = AggregationFunction::Count, .keys = std::move(keys)};
}

inline PictureKey text_key(std::string text) { return {.kind = KeyKind::Text, .text = std::move(text), .frames = {}}; }

inline ElementChange change(uint32_t aggregation, uint32_t element, int64_t number) {
  return {.aggregation = aggregation, .element = element, .value = {.numbers = {number}, .buckets = {}}};
}

}  // namespace dscope::test
