// Limits of DTrace's virtual machine that options iregs and tregs set. dscope has no such registers, but programs and
// test suites ask for the refusals (consumer-and-actions.md 8, d-language.md 5.4).
#pragma once

#include <optional>

#include "driver/compile/compilation.h"
#include "support/result.h"

namespace dscope {

// Why a clause of `compilation` needs more registers than `options` grant; nothing if none does. Call it after check().
std::optional<Error> exceeded_registers(const Compilation& compilation, const OptionValues& options);

}  // namespace dscope
