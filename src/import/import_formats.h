// The files of other tracers that become captures. Each function fails with one sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "import/import_target.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

// The outcome of an import besides the capture.
struct ImportReport {
  std::string damage;  // one sentence about a part that is missing; empty: none
};

// `file`: the content of a perf.data file. `written_ns`: when the file was last changed, nanoseconds since 1970, from
// which walltimestamp is estimated if the file has no clocks.
Result<ImportReport> import_perf_data(std::string_view file, uint64_t written_ns, Fd output);

// `fd`: a trace.dat file. Only if dscope was built with libtracecmd (DSCOPE_HAS_TRACECMD).
Result<ImportReport> import_trace_dat(int fd, uint64_t written_ns, Fd output);

// `path`: a directory with a trace in the Common Trace Format. Only if dscope was built with libbabeltrace2
// (DSCOPE_HAS_BABELTRACE).
Result<ImportReport> import_ctf(const std::string& path, Fd output);

}  // namespace dscope
