// The macro variables that name the tracing process ($pid and the like), as numbers that code may leave open: the cache
// runs such code in another process.
#pragma once

#include <optional>

#include "frontend/machine/machine_values.h"
#include "frontend/syntax/ast.h"
#include "support/source.h"

namespace dscope {

// The variables whose values differ between the processes of one user: "pid", "ppid", "pgid", "sid".
bool is_process_variable(std::string_view name);

// The values of all uses of these variables in the expressions of the program, with names such as "$pid". nullopt if
// the code depends on one of them in another way: within a constant, or in a place that is no expression.
std::optional<MachineValues> process_macros(const SourceSet& sources, const std::vector<UnitId>& units,
                                            const Semantics& meaning);

}  // namespace dscope
