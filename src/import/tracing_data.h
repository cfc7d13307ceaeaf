// The formats of tracepoints within perf.data: the header of an ftrace file.
#pragma once

#include <string_view>
#include <vector>

#include "import/perf_file.h"

namespace dscope {

// Views of `bytes`. Empty, or the formats before the damage, if the bytes are none or are damaged.
std::vector<PerfTracepoint> read_tracing_data(std::string_view bytes);

}  // namespace dscope
