// How alike two names are: for "did you mean ...?".
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

// How many letters must be added, left out, replaced or exchanged with their neighbours to make one name the other;
// above `limit` it is some number above it.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

bool differs_only_in_case(std::string_view a, std::string_view b);

}  // namespace dscope
