// Which kinds of memory the expressions of a program need. Looked up once, before anything is emitted.
#pragma once

#include "frontend/semantics/semantics.h"

namespace dscope {

struct MemoryUse {
  bool stores_bytes = false;  // of strings, or through pointers that may point into strings
  bool allocates = false;     // calls alloca(), copyin() or memref()
};

MemoryUse find_memory_use(const Semantics& meaning);

}  // namespace dscope
