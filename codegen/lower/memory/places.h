// Computes the places of objects: the address of an lvalue and the kind of memory that it is in.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class AllocaMemory;
class Arguments;
class DynamicVariables;
class Expressions;
class Faults;
class MemoryAccess;
class ScratchSlot;
class StringMemory;
class Strings;
class TaskContext;
class ThreadLocals;
class TracedVariables;
class Variables;

class Places : Lowerer {
 public:
  Places(Lowering& core, ScratchSlot& scratch, Faults& faults, TaskContext& task, Arguments& arguments,
         Expressions& expressions, Strings& strings, StringMemory& string_memory, MemoryAccess& memory,
         AllocaMemory& alloca_memory, Variables& variables, ThreadLocals& thread_locals,
         DynamicVariables& dynamic_variables, TracedVariables& traced_variables)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        task_(task),
        arguments_(arguments),
        expressions_(expressions),
        strings_(strings),
        string_memory_(string_memory),
        memory_(memory),
        alloca_memory_(alloca_memory),
        variables_(variables),
        thread_locals_(thread_locals),
        dynamic_variables_(dynamic_variables),
        traced_variables_(traced_variables) {}

  Place place_of(const Expr& expr, Access access = Access::Read);
  // `bytes`: the number of bytes that the caller will read; 0: one object of the pointer's target type.
  Place place_of_pointer(const Expr& pointer, const Expr& at, Access access = Access::Read, uint64_t bytes = 0);
  Place string_byte(const Expr& string_expr, const Expr* index, const Expr& at, Access access);

 private:
  V trusted_pointer(const Expr& expr);
  Place element_place(const Expr& expr, const Index& form, Access access);
  V element_offset(const Expr& expr, const Index& form, Space space);
  Place variable_place(VariableId id, const Expr* index, Access access);
  Place conditional_place(const Expr& expr, const Ternary& form);
  Place alias_place(const Expr& expr, const Expr& value, Access access);
  Place translated_place(const TranslatedObject& object);
  void store_member(V object, const TranslatedMember& member);
  bool points_into_own_memory(const Expr& pointer) const;
  Place own_place(const Expr& pointer, V address, V offset, uint64_t size, const Expr& at, Access access);

  ScratchSlot& scratch_;
  Faults& faults_;
  TaskContext& task_;
  Arguments& arguments_;
  Expressions& expressions_;
  Strings& strings_;
  StringMemory& string_memory_;
  MemoryAccess& memory_;
  AllocaMemory& alloca_memory_;
  Variables& variables_;
  ThreadLocals& thread_locals_;
  DynamicVariables& dynamic_variables_;
  TracedVariables& traced_variables_;
};

}  // namespace dscope
