// refine(): makes the D program that looks closer at one element of an aggregation. The statements of the aggregation
// get a condition, that its keys have the values of the element, and a new key instead: `@[execname]` of "cat" becomes
// `@[probefunc]` where execname == "cat".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/refine/next_key.h"
#include "frontend/syntax/ast.h"
#include "support/result.h"

namespace dscope {

// The value of a key. Neither: the value cannot be compared in D, as that of a stack; its key is given up.
struct KeyCondition {
  std::optional<std::string> text;    // of a string
  std::optional<std::string> number;  // in decimal
};

struct Refinement {
  std::string aggregation;         // its name without @; "_" for the anonymous one
  std::vector<KeyCondition> keys;  // of the element
  KeySources sources = {};
};

// Changes the units; print_unit() makes D text of them. printa() of the aggregation is dropped: its format has the old
// keys. Fails if no unit has such an aggregation, or if there is no key left to look at. The new nodes are in
// `program`, which must not be checked.
Result<> refine(Program& program, std::span<ProgramUnit*> units, const Refinement& refinement);

}  // namespace dscope
