// Matches C++ names with parameters or template arguments in probe descriptions.
#pragma once

#include <string>
#include <string_view>

namespace dscope {

// True if `pattern` matches the demangled `signature`. Ignores spelling variants: blanks, const before or after its
// type, std::string or its expansion, default allocators. A pattern without parameters matches any; const after the
// parameters may be omitted.
bool signature_matches(std::string_view pattern, std::string_view signature);

}  // namespace dscope
