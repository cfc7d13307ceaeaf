// Limits of DTrace's virtual machine that options iregs and tregs set. dscope has no such registers, but programs and
// test suites expect the errors (consumer-and-actions.md 8, d-language.md 5.4).
#pragma once

#include <optional>

#include "driver/compile/compilation.h"
#include "support/result.h"

namespace dscope {

// Returns the error for a clause that needs more registers than `options` allow; nullopt if there is none. Call it
// after check().
std::optional<Error> exceeded_registers(const Compilation& compilation, const OptionValues& options);

}  // namespace dscope
