// ++, --, +=, -=, &=, |= and ^= on variables that all CPUs share: global numbers and pointers, and elements of global
// associative arrays. Each is one atomic operation (docs/decisions/0033-updates-of-shared-variables-are-atomic.md).
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class DynamicVariables;
class Expressions;
class Keys;
class Variables;

class AtomicUpdates : Lowerer {
 public:
  AtomicUpdates(Lowering& core, Expressions& expressions, Variables& variables, DynamicVariables& dynamic_variables,
                Keys& keys)
      : Lowerer(core),
        expressions_(expressions),
        variables_(variables),
        dynamic_variables_(dynamic_variables),
        keys_(keys) {}

  struct Values {
    V before = nullptr, after = nullptr;  // i64, narrowed to the type of the variable
  };

  // Whether `lvalue op= operand` can be one atomic operation. A null `operand` is a constant: ++ or --.
  bool applies_to(const Expr& lvalue, BinaryOp op, const Expr* operand) const;
  // Emits an update to which applies_to() applies. `emit_operand` emits its right side, after the keys of an element.
  Values update(const Expr& lvalue, BinaryOp op, const std::function<V()>& emit_operand);

 private:
  struct Target {
    const Variable* variable = nullptr;
    const VariableLocation* location = nullptr;
    const Expr* index = nullptr;  // of an element
  };
  struct Operation {
    BinaryOp op{};
    V operand = nullptr;
    TypeId type;  // of the variable
  };

  std::optional<Target> shared_target(const Expr& lvalue) const;
  bool may_change(const Variable& variable, const Expr& expr) const;
  Operation operation(BinaryOp op, V operand, TypeId type);
  V result_of(const Operation& operation, V before);
  V fetch(V address, const Operation& operation);
  V fetch_element(const Target& target, V key, const Operation& operation);

  Expressions& expressions_;
  Variables& variables_;
  DynamicVariables& dynamic_variables_;
  Keys& keys_;
};

}  // namespace dscope
