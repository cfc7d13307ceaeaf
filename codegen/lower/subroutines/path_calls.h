// Paths of kernel objects: d_path() and the internal subroutines of the D libraries that build on it.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class Faults;
class MemoryAccess;
class ScratchSlot;
class StringMemory;

class PathCalls : Lowerer {
 public:
  PathCalls(Lowering& core, ScratchSlot& scratch, Faults& faults, Expressions& expressions, StringMemory& string_memory,
            MemoryAccess& memory)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        expressions_(expressions),
        string_memory_(string_memory),
        memory_(memory) {}

  StringValue path(const Expr& expr, const Call& call, uint32_t of_mount);

 private:
  V make_path(V dentry, V mount);

  ScratchSlot& scratch_;
  Faults& faults_;
  Expressions& expressions_;
  StringMemory& string_memory_;
  MemoryAccess& memory_;
  V layout_table_ = nullptr;
};

}  // namespace dscope
