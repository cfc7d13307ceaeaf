// --live: the terminal view of a run, and of the runs that look closer at an element of it.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

// The run of dscope that the view shows.
struct LiveSubject {
  std::vector<std::string> arguments;  // argv, which names a program to trace or a capture to replay
  std::string program;                 // the path of dscope
  bool is_replay = false;              // the same events come again at each start
};

// Returns the exit status: that of the run if it ends by itself.
Result<int> run_live(LiveSubject subject);

}  // namespace dscope
