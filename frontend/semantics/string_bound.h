// The size limit of a string expression. It determines the size of record slots and keys.
#pragma once

#include <bit>
#include <cstdint>

#include "frontend/semantics/semantics.h"

namespace dscope {

// Returns the most bytes that a string expression can need, including the terminator (at most strsize + 1): 17 for
// execname, the length of a literal or char array.
uint32_t string_bound(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr);

// The room for a text of `bytes` bytes from a macro such as $$1: the code of a program must not depend on the length of
// short arguments.
constexpr uint32_t macro_text_room(uint32_t bytes) {
  constexpr uint32_t min_room = 64;
  return bytes <= min_room ? min_room : std::bit_ceil(bytes);
}

}  // namespace dscope
