// The wall clock of a run.
#pragma once

#include <chrono>
#include <cstdint>

namespace dscope {

// Replays set it to the recorded time, in nanoseconds since 1970, so that rows and pictures have the dates of the
// recording. 0: the clock of the machine. Only the thread that consumes records uses it.
inline int64_t recorded_wall_clock_ns = 0;

// In nanoseconds since 1970.
inline int64_t wall_clock_ns() {
  if (recorded_wall_clock_ns != 0) return recorded_wall_clock_ns;
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace dscope
