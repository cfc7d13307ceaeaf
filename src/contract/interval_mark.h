// IntervalMark: rows of a clause begin or end an interval of their thread. Timelines show the intervals as slices.
#pragma once

#include <cstdint>
#include <string>

namespace dscope {

struct IntervalMark {
  uint32_t clause = 0;    // ClausePlan::number
  std::string variable;   // the thread-local variable that names the interval, without `self->`
  bool is_begin = false;  // the clause stores `timestamp` in the variable; otherwise it stores 0
};

}  // namespace dscope
