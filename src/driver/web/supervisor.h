// --live=http: the report of a run in the browser. This process starts everything and has the privileges: the tracers,
// and the server, which speaks HTTP without any. It reads nothing from the network.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

// `arguments`: argv, which names a program to trace. `program`: the path of dscope. Returns the exit status.
Result<int> run_web(const std::vector<std::string>& arguments, const std::string& program);

}  // namespace dscope
