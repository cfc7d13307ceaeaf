// `$goid`: the number of the goroutine that runs a Go function.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "contract/types/traced_variable.h"

namespace dscope {

// Whether a function receives its arguments as Go functions do, and has the goroutine in its register. Functions in
// assembler do not, nor C functions, which have no package.
bool has_go_convention(std::string_view function);

// The place of `goid` in runtime.g by the version of the compiler ("go1.19.8"), for programs without debug information;
// nothing for versions that are not known.
std::optional<uint64_t> goid_offset(std::string_view version);

// Where the number is at an instruction of a Go function.
VariablePlace goid_place(uint64_t offset);

}  // namespace dscope
