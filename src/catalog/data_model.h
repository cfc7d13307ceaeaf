// The sizes of `long` and of pointers in D programs, chosen by -32 and -64. Types of the kernel and of processes keep
// their own sizes.
#pragma once

#include <cstdint>

namespace dscope {

enum class DataModel : uint8_t { Lp64, Ilp32 };

}  // namespace dscope
