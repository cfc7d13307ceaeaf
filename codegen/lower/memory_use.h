// The memory operations that a program contains. Collected once, before emission.
#pragma once

#include "frontend/semantics/semantics.h"

namespace dscope {

struct MemoryUse {
  bool stores_bytes = false;  // into strings, or through pointers that may point into strings
  bool allocates = false;     // calls alloca(), copyin() or memref()
};

MemoryUse find_memory_use(const Semantics& meaning);

}  // namespace dscope
