// --live: the terminal view of a run, and of the runs that look closer at an element of it.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

// `arguments`: argv, which names a program to trace. `program`: the path of dscope. Returns the exit status: that of
// the run if it ends by itself.
Result<int> run_live(const std::vector<std::string>& arguments, const std::string& program);

}  // namespace dscope
