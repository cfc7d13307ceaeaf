// The history of an aggregation for pictures over time, bounded in size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "pictures/run_model.h"

namespace dscope {

inline constexpr size_t max_time_columns = 240;      // of heat maps and time lines
inline constexpr size_t max_history_elements = 20;   // that have a history of their own
inline constexpr size_t max_sample_cells = 200'000;  // of samples by interval and element

// The elements of an aggregation that a report shows, and how it numbers them and their buckets.
struct ReportedElements {
  std::vector<uint32_t> numbers;               // in the model, in its order, without removed elements
  std::vector<int64_t> positions;              // by number in the model: index in `numbers`; -1: not reported
  std::map<int64_t, size_t> bucket_positions;  // of distributions, by lower bound
  bool has_stacks = false;
};

// {"begin": time, "ends": lengths of the columns, "total": a column each, "elements": their indexes, "series": a column
//  each, for each of these elements}
// A column of numbers is a number or null. A column of distributions is [bucket, count, bucket, count ...].
// Additive aggregations with stacks also have "samples": {"joined": intervals in one, "ends": lengths, "cells": for
// each interval [element, amount, element, amount ...]}. `start_ns`: since 1970.
nlohmann::json history_json(const AggregationModel& aggregation, const ReportedElements& elements, int64_t start_ns);

}  // namespace dscope
