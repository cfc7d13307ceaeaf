// Assignments to variables, members and array elements.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class MemoryAccess;
class Places;
class ScratchSlot;
class StringMemory;
class Strings;
class Variables;

class Assignments : Lowerer {
 public:
  Assignments(Lowering& core, ScratchSlot& scratch, Strings& strings, StringMemory& string_memory, Places& places,
              MemoryAccess& memory, Variables& variables)
      : Lowerer(core),
        scratch_(scratch),
        strings_(strings),
        string_memory_(string_memory),
        places_(places),
        memory_(memory),
        variables_(variables) {}

  V assign(const Expr& lvalue, V value, const Expr& at);
  void assign_object(const Assign& form, const Expr& at);
  StringValue assign_string_place(const Assign& form, const Expr& expr);

 private:
  V assign_place(const Expr& lvalue, V value, const Expr& at);

  ScratchSlot& scratch_;
  Strings& strings_;
  StringMemory& string_memory_;
  Places& places_;
  MemoryAccess& memory_;
  Variables& variables_;
};

}  // namespace dscope
