// The process that speaks HTTP has no use for privileges, files or other processes.
#pragma once

#include "support/result.h"

namespace dscope {

// Gives up what this process could do beyond its open descriptors: root becomes nobody, without capabilities or a way
// to get them back, and the kernel refuses system calls that open, execute, trace or connect. The process ends when its
// parent does.
Result<> enter_sandbox();

// The sandbox of the process that pushes metrics, which opens connections, and the files and threads that a library
// needs for them.
Result<> enter_client_sandbox();

}  // namespace dscope
