// D variables (globals, thread-locals, clause-locals and associative arrays), at the addresses that the plan assigned.
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class DynamicVariables;
class Keys;
class ScratchSlot;
class StringMemory;
class TaskContext;
class ThreadLocals;
class TracedVariables;

class Variables : Lowerer {
 public:
  Variables(Lowering& core, ScratchSlot& scratch, TaskContext& task, StringMemory& string_memory,
            ThreadLocals& thread_locals, DynamicVariables& dynamic_variables, Keys& keys,
            TracedVariables& traced_variables)
      : Lowerer(core),
        scratch_(scratch),
        task_(task),
        string_memory_(string_memory),
        thread_locals_(thread_locals),
        dynamic_variables_(dynamic_variables),
        keys_(keys),
        traced_variables_(traced_variables) {}

  V variable_address(const VariableLocation& location);  // Globals, Scratch
  V array_key(const Variable& variable, const VariableLocation& location, const Expr& use);
  V read(const Variable& variable, const VariableLocation& location, const Expr& expr);
  V assign(VariableId id, const Expr* index, V value, const Expr& at);
  void remove(VariableId id, const Expr* index);
  StringValue read_string(VariableId id, const Expr* index);
  void assign_string(VariableId id, const Expr* index, const StringValue& value);
  std::optional<VariableId> associative_array_of(const Expr& expr) const;
  const Expr& target_of(const Expr& use, const Expr*& index) const;
  V create_object(const VariableLocation& location);
  V fresh_element(const VariableLocation& location, V value);

 private:
  V local_slot(uint32_t variable);
  void update_array(const VariableLocation& location, V key, V value, const Expr& at);
  V null_mark(const Variable& variable, V is_null);
  void store_owner(V key, const Variable& variable, const Expr& use);

  ScratchSlot& scratch_;
  TaskContext& task_;
  StringMemory& string_memory_;
  ThreadLocals& thread_locals_;
  DynamicVariables& dynamic_variables_;
  Keys& keys_;
  TracedVariables& traced_variables_;
  PerFunction<std::map<uint32_t, llvm::AllocaInst*>> local_slots_{b_};  // by variable
};

}  // namespace dscope
