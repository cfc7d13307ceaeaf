// The key to look at next, from what is traced to where: the program, the function, the stack of the kernel, the stack
// of the process, the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/syntax/ast.h"

namespace dscope {

// The keys that D can ask for: a capture may lack some.
struct KeySources {
  bool has_stacks = true;
  bool has_descriptors = true;  // fds[]
};

// Returns the D text of the next key of an aggregation in `clause` that now has the keys `keys`, of which the named
// ones will be conditions; nothing if all have been looked at. `keys`: D text.
std::optional<std::string> next_key(const Clause& clause, const std::vector<std::string>& keys,
                                    const KeySources& sources);

}  // namespace dscope
