// The options of --otlp.
#pragma once

#include <string>
#include <string_view>

#include "driver/command_line/command_line.h"

namespace dscope {

// Applies the option `name`, which begins with --otlp. Returns what is wrong with its value; "" if nothing is.
std::string set_otlp(OtlpSettings& settings, std::string_view name, std::string_view value);

}  // namespace dscope
