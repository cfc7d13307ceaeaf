// Loading with fallbacks: a kernel whose verifier rejects the fastest code gets the same program in a form that it
// accepts (docs/decisions/0006, 0023).
#pragma once

#include <memory>

#include "driver/compile/code_source.h"
#include "runtime/session/session.h"

namespace dscope {

// Loads `code`. If the verifier rejects it, replaces it by code of `source` with checked copies instead of direct loads
// of kernel objects, and loads that. If the verifier rejects all variants, the error names the D line if possible. The
// session refers to code.plan: `code` must outlive it.
Result<std::unique_ptr<Session>> load(GeneratedCode& code, const Compilation& compilation, CodeSource& source,
                                      const SessionOptions& options);

}  // namespace dscope
