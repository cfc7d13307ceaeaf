// Small runs for tests of metrics.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/run_metrics.h"
#include "tests/unit/pictures/pictures_fixture.h"

namespace dscope::test {

struct TestElement {
  std::vector<PictureKey> keys;
  PictureValue value;
  bool is_overflow = false;
};

// A run with one aggregation and these elements, started at second 5.
inline RunModel model_of(PictureAggregation aggregation, std::vector<TestElement> elements) {
  RunStart start = start_with({std::move(aggregation)});
  start.start_ns = 5 * second;
  RunModel model{std::move(start)};
  RunUpdate update{.time_ns = 6 * second};
  for (uint32_t i = 0; i < elements.size(); ++i) {
    update.new_elements.push_back({.aggregation = 0, .keys = elements[i].keys, .is_overflow = elements[i].is_overflow});
    update.changes.push_back({.aggregation = 0, .element = i, .value = elements[i].value});
  }
  model.add(std::move(update));
  return model;
}

inline std::vector<MetricFamily> families_of(const RunModel& model, const std::vector<MetricRule>& rules = {}) {
  return RunMetrics{model.start(), "/tmp/demo.d", rules}.families(model);
}

inline PictureValue number(int64_t value) { return {.numbers = {value}}; }

inline PictureKey stack_key(std::vector<std::string> innermost_first, bool is_kernel) {
  PictureKey key{.kind = KeyKind::Stack};
  for (std::string& text : innermost_first) key.frames.push_back({.text = std::move(text), .is_kernel = is_kernel});
  return key;
}

}  // namespace dscope::test
