// The similarity of two names, for "did you mean ...?".
#pragma once

#include <cstddef>
#include <string_view>

namespace dscope {

// The number of letters to insert, delete, replace or transpose with a neighbor to turn one name into the other. If it
// exceeds `limit`, the result is any number above `limit`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

bool differs_only_in_case(std::string_view a, std::string_view b);

}  // namespace dscope
