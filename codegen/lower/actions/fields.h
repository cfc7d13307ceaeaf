// Writes values to the fields of records and keys.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class MemoryAccess;
class Places;
class ScratchSlot;
class Stacks;
class Strings;
class TaskContext;

class Fields : Lowerer {
 public:
  Fields(Lowering& core, TaskContext& task, Stacks& stacks, Expressions& expressions, Strings& strings, Places& places,
         MemoryAccess& memory, ScratchSlot& scratch)
      : Lowerer(core),
        task_(task),
        stacks_(stacks),
        expressions_(expressions),
        strings_(strings),
        places_(places),
        memory_(memory),
        scratch_(scratch) {}

  void write(const Field& field, V base, const Expr& value);
  void write_word(const Field& field, V base, const Expr& value);

 private:
  bool has_branches(const Expr& value) const;
  void write_object(uint32_t size, V to, const Expr& value);
  V symbol_argument(const Call& call);

  TaskContext& task_;
  Stacks& stacks_;
  Expressions& expressions_;
  Strings& strings_;
  Places& places_;
  MemoryAccess& memory_;
  ScratchSlot& scratch_;
};

}  // namespace dscope
