// Types of other systems that scripts use without headers. They are defined only if the program, its headers and the
// kernel define no type of the same name.
#pragma once

#include <string_view>

namespace dscope {

// The type of D that `name` stands for; empty if it is none of these types.
std::string_view find_foreign_type(std::string_view name);

}  // namespace dscope
