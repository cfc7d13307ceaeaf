// Writes values to the fields of records and keys.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class MemoryAccess;
class Places;
class Stacks;
class Strings;
class TaskContext;

class Fields : Lowerer {
 public:
  Fields(Lowering& core, TaskContext& task, Stacks& stacks, Expressions& expressions, Strings& strings, Places& places,
         MemoryAccess& memory)
      : Lowerer(core),
        task_(task),
        stacks_(stacks),
        expressions_(expressions),
        strings_(strings),
        places_(places),
        memory_(memory) {}

  void write(const Field& field, V base, const Expr& value);
  void write_word(const Field& field, V base, const Expr& value);

 private:
  V symbol_argument(const Call& call);

  TaskContext& task_;
  Stacks& stacks_;
  Expressions& expressions_;
  Strings& strings_;
  Places& places_;
  MemoryAccess& memory_;
};

}  // namespace dscope
