// Hints for text that does not parse: characters that are missing, superfluous or foreign to D.
#pragma once

#include <string>

#include "frontend/advice/source_context.h"

namespace dscope {

// Returns the hint for a syntax error at this position; may be empty.
std::string hint_on_syntax(const SourceContext& context);

}  // namespace dscope
