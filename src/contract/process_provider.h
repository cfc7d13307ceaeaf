// Names of process providers: "python123" for one process, "python*" for all processes that map a file, including those
// that start later. In D, probeprov contains the pid of the process that fired.
#pragma once

#include <string_view>

namespace dscope {

// Digits of the largest pid on Linux (2^22).
inline constexpr unsigned process_digits = 7;

inline bool is_of_all_processes(std::string_view provider) { return provider.ends_with('*'); }

}  // namespace dscope
