// Spacing: for each token of a scanned text, whether a blank separates it from the token before when both are on one
// line. The first step of format_source().
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/scan/scan.h"

namespace dscope {

struct ItemSpacing {
  bool has_space_before = true;
  bool opens_predicate = false;   // the first `/` of a predicate
  bool opens_enum = false;        // `{` of an enum
  bool closes_condition = false;  // `)` of if
  uint32_t match = 0;             // of `{`: the index of its `}`; 0 if it is missing
};

// Returns one element for each item of `scan`.
std::vector<ItemSpacing> find_spacing(const Scan& scan);

}  // namespace dscope
