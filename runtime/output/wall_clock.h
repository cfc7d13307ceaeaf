// The wall clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace dscope {

// In nanoseconds since 1970.
inline int64_t wall_clock_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace dscope
