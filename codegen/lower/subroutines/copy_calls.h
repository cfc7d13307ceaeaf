// Subroutines that allocate scratch memory and copy memory: alloca(), copyin(), copyout(), bcopy() ...
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class AllocaMemory;
class Expressions;
class Faults;
class ScratchSlot;
class StringMemory;
class Strings;
class UserMemory;

class CopyCalls : Lowerer {
 public:
  CopyCalls(Lowering& core, ScratchSlot& scratch, Faults& faults, Expressions& expressions, Strings& strings,
            StringMemory& string_memory, UserMemory& user_memory, AllocaMemory& alloca_memory)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        expressions_(expressions),
        strings_(strings),
        string_memory_(string_memory),
        user_memory_(user_memory),
        alloca_memory_(alloca_memory) {}

  V alloca_call(const Expr& expr, const Call& call);
  V memref(const Expr& expr, const Call& call);
  StringValue memstr(const Expr& expr, const Call& call);
  V copyin(const Expr& expr, const Call& call);
  V copy_to_scratch(const Expr& expr, const Call& call, Subroutine id);
  V copyout(const Expr& expr, const Call& call);
  V copyoutstr(const Expr& expr, const Call& call);

 private:
  V source_address(const Expr& source);
  void copy_from(const Expr& source, V from, bool is_user, V size, V to, uint64_t room, const Expr& at);

  ScratchSlot& scratch_;
  Faults& faults_;
  Expressions& expressions_;
  Strings& strings_;
  StringMemory& string_memory_;
  UserMemory& user_memory_;
  AllocaMemory& alloca_memory_;
};

}  // namespace dscope
