// Subroutines that format addresses and numbers (inet_ntoa, link_ntop, lltostr ...) or parse text (strtok, cleanpath).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class Faults;
class MemoryAccess;
class Places;
class ScratchSlot;
class StringMemory;
class Strings;

class TextCalls : Lowerer {
 public:
  TextCalls(Lowering& core, ScratchSlot& scratch, Faults& faults, Expressions& expressions, Strings& strings,
            StringMemory& string_memory, Places& places, MemoryAccess& memory)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        expressions_(expressions),
        strings_(strings),
        string_memory_(string_memory),
        places_(places),
        memory_(memory) {}

  StringValue inet_ntoa(const Expr& expr, const Call& call, Subroutine subroutine);
  StringValue inet_ntop(const Expr& expr, const Call& call);
  StringValue link_ntop(const Expr& expr, const Call& call);
  StringValue token(const Expr& expr, const Call& call);
  V base_argument(const Expr& expr, const Call& call);
  V result_sizes(const Expr& expr, uint32_t first = 0, uint32_t second = 0);

 private:
  V memory_copy(const Expr& pointer, uint32_t bytes, const Expr& at);

  ScratchSlot& scratch_;
  Faults& faults_;
  Expressions& expressions_;
  Strings& strings_;
  StringMemory& string_memory_;
  Places& places_;
  MemoryAccess& memory_;
};

}  // namespace dscope
