// Advice on texts that do not parse: which character is missing, too many, or not one of D's.
#pragma once

#include <string>

#include "frontend/advice/source_context.h"

namespace dscope {

// The hint for a syntax error of the parser at this place; empty if there is nothing to say.
std::string advice_on_syntax(const SourceContext& context);

}  // namespace dscope
