// fmt::join(), which moved to another header of {fmt} in release 11.
#pragma once

#include <fmt/format.h>

#if FMT_VERSION >= 110000
#include <fmt/ranges.h>
#endif
