// Reads traces in the Common Trace Format by libbabeltrace2, in the order of time.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <functional>
#include <string>

#include "support/result.h"

namespace dscope {

// An event of one of the traces.
struct CtfEvent {
  const bt_event* event = nullptr;
  size_t trace = 0;  // traces are numbered by their first events, the same at each reading
  int64_t time = 0;  // nanoseconds since the origin of the trace's clock
};

struct CtfVisitor {
  std::function<void(const CtfEvent&)> event;
  std::function<void(uint64_t count)> discarded;  // events for which the tracer had no room
};

// `path`: the directory of a trace, which has a file `metadata`, or one with such directories below it, as LTTng writes
// them. Fails with one sentence.
Result<> read_ctf_traces(const std::string& path, const CtfVisitor& visitor);

}  // namespace dscope
