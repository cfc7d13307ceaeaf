// "{}" formatting for the whole project; std::format is not in GCC 12.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
