// Names of the providers of processes: "python123" of one, "python*" of all that map a file, those that start later
// included. What a D program sees as probeprov has the number of the process that fired.
#pragma once

#include <string_view>

namespace dscope {

// Digits of the largest process number Linux gives (2^22).
inline constexpr unsigned process_digits = 7;

inline bool is_of_all_processes(std::string_view provider) { return provider.ends_with('*'); }

}  // namespace dscope
