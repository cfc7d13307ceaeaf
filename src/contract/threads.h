// Option threads: the threads that self-> variables belong to.
#pragma once

#include "catalog/option_values.h"

namespace dscope {

// In Go programs, self-> variables belong to the goroutine that fires the probe, not to the kernel's thread.
inline bool follows_goroutines(const OptionValues& options) { return options.text(OptionId::Threads) == "goroutines"; }

}  // namespace dscope
