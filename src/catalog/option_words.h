// The words that an option takes as its value, for completion.
#pragma once

#include <string>
#include <vector>

#include "catalog/option_values.h"

namespace dscope {

// "on" and "off" for a switch, the words of an option that takes one of a few; empty if other values follow the name.
std::vector<std::string> option_words(const OptionRow& option);
// Whether dscope gives the option an effect: others are accepted and ignored, or rejected.
bool has_effect(const OptionRow& option);

}  // namespace dscope
