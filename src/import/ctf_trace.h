// Reads a trace in the Common Trace Format by libbabeltrace2, in the order of time.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <functional>
#include <string>

#include "support/result.h"

namespace dscope {

struct CtfVisitor {
  // `time`: nanoseconds since the origin of the trace's clock.
  std::function<void(const bt_event* event, int64_t time)> event;
  std::function<void(uint64_t count)> discarded;  // events for which the tracer had no room
};

// `path`: the directory of the trace, or one with several. Fails with one sentence.
Result<> read_ctf_trace(const std::string& path, const CtfVisitor& visitor);

}  // namespace dscope
