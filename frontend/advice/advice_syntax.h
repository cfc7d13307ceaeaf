// Advice on texts that do not parse: characters that are missing, superfluous or foreign to D.
#pragma once

#include <string>

#include "frontend/advice/source_context.h"

namespace dscope {

// The hint for a syntax error at this position; empty if there is none.
std::string advice_on_syntax(const SourceContext& context);

}  // namespace dscope
