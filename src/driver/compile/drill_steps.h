// The steps from a program to the one that looks closer at an element of an aggregation, as text: JSON, from the
// process of a live view to the process that traces for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/refine/refine.h"
#include "support/result.h"

namespace dscope {

// [{"aggregation": "_", "keys": [{"text": "cat"}, {"number": "5"}, {}]}, ...]; no steps: an empty text.
Result<std::vector<Refinement>> parse_drill_steps(std::string_view json);

}  // namespace dscope
