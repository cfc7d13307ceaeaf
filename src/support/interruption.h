// Whether the user has asked twice to end the run. Work that may take long, such as reading the symbols of a large
// file, then stops early and goes on without its result.
#pragma once

#include <atomic>

namespace dscope {

// Written by signal handlers, so it must need no lock.
inline std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace dscope
