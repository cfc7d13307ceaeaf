// run_on_stack(): calls a function on a given stack.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "runtime/session/session.h"
#include "support/result.h"

namespace dscope {

// Runs `body` on a thread with that stack, and returns its result. `body` must not throw.
Result<SessionResult> run_on_stack(std::span<std::byte> stack, const std::function<Result<SessionResult>()>& body);

}  // namespace dscope
