// Lowers expressions to strings.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Arguments;
class Assignments;
class Expressions;
class Faults;
class Places;
class ProbeNames;
class ScratchSlot;
class Subroutines;
class StringMemory;
class TaskContext;
class Variables;

class Strings : Lowerer {
 public:
  Strings(Lowering& core, ScratchSlot& scratch, Faults& faults, TaskContext& task, Arguments& arguments,
          ProbeNames& probe_names, Expressions& expressions, Assignments& assignments, StringMemory& string_memory,
          Subroutines& subroutines, Places& places, Variables& variables)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        task_(task),
        arguments_(arguments),
        probe_names_(probe_names),
        expressions_(expressions),
        assignments_(assignments),
        string_memory_(string_memory),
        subroutines_(subroutines),
        places_(places),
        variables_(variables) {}

  StringValue string(const Expr& expr);
  StringValue required_string(const Expr& expr);  // faults if NULL
  void write_string(const Expr& expr, V to, uint32_t size);
  void write_mostly_short_string(const Expr& expr, V to, uint32_t size, uint32_t short_size);

 private:
  StringValue emit_string(const Expr& expr);
  StringValue copy_of(const StringValue& value);
  StringValue alias_string(const Expr& expr, const Expr& value);
  StringValue string_of_form(const Expr& expr);
  StringValue execname();
  StringValue container_name(ContainerPart part, const Expr& expr);
  StringValue string_argument(uint32_t index, const Expr& expr);
  StringValue string_variable(VariableId id, const Expr* index, const Expr& expr);
  StringValue assigned_string(const Assign& form, const Expr& expr);
  StringValue converted_string(const Expr& operand, const Expr& expr);
  StringValue suffix(const Binary& form);
  StringValue null_string();
  StringValue conditional_string(const Expr& expr, const Ternary& form);
  V store_conditional(V to, uint32_t size, const Ternary& form);
  V store_branch(V to, uint32_t size, const Expr& branch);
  std::optional<Place> find_external_string(const Expr& expr);
  bool null_prints_as_empty(const Expr& use) const;

  ScratchSlot& scratch_;
  Faults& faults_;
  TaskContext& task_;
  Arguments& arguments_;
  ProbeNames& probe_names_;
  Expressions& expressions_;
  Assignments& assignments_;
  StringMemory& string_memory_;
  Subroutines& subroutines_;
  Places& places_;
  Variables& variables_;
};

}  // namespace dscope
