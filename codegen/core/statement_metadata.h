// The named metadata that holds the D text of statements: nodes of file, line, column and comment text. DebugInfo
// writes them, dumps read them.
#pragma once

namespace dscope {

inline constexpr char statement_metadata[] = "dscope.statements";

}  // namespace dscope
