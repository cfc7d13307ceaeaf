// Models aggregations as consumer-and-actions.md 5 describes them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program.h"

namespace dscope::oracle {

// One element: all values aggregated under one key.
struct Element {
  std::vector<std::pair<int64_t, int64_t>> values;  // value and increment
};

// An aggregation's elements by their keys, as the END clause prints them.
using Elements = std::map<std::string, Element>;

// The printed form of an element: a number, or for distributions "label:count" of every nonempty bucket.
std::string value_text(const Aggregation& aggregation, const Element& element);

// The lines that the END clause prints, sorted.
std::vector<std::string> lines_of(const Aggregation& aggregation, const Elements& elements);

}  // namespace dscope::oracle
