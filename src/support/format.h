// "{}" formatting for the whole project. GCC 12 has no std::format.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
