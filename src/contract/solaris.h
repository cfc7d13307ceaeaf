// Option compat=solaris: probes that scripts name and nothing on Linux fires are there all the same, made so.
#pragma once

#include <string_view>

namespace dscope {

// A probe of which people should know that it never fires.
constexpr std::string_view unfired_clause = "rawtp:::sched_process_exec /0/ {}";
// One that is silent because another of the script's fires instead.
constexpr std::string_view silent_clause = "rawtp:::sched_process_exec /0/ { 0; }";

}  // namespace dscope
