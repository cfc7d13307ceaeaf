// Arithmetic operators on 64 bits. The type of the result decides only the sign of division and of shifts to the right.
// Shift counts are taken modulo 64.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Assignments;
class AtomicUpdates;
class Conditions;
class Expressions;
class Faults;

class Operators : Lowerer {
 public:
  Operators(Lowering& core, Faults& faults, Expressions& expressions, Conditions& conditions, Assignments& assignments,
            AtomicUpdates& atomic_updates)
      : Lowerer(core),
        faults_(faults),
        expressions_(expressions),
        conditions_(conditions),
        assignments_(assignments),
        atomic_updates_(atomic_updates) {}

  // The types of d-language.md 3.6 in which operators treat one integer, or two together.
  TypeId as_operand(const Expr& expr) const;
  TypeId promoted(const Expr& lhs, const Expr& rhs) const;
  V arithmetic(BinaryOp op, V lhs, V rhs, TypeId type, const Expr& at);
  V pointer_step(V count, TypeId pointer);
  V step(const Expr& expr, const Unary& form);

  V binary(const Expr& expr, const Binary& form);

 private:
  V divide(V lhs, V rhs, bool is_signed, bool wants_remainder, const Expr& at);
  V quotient(V lhs, V rhs, bool is_signed, bool wants_remainder);

  Faults& faults_;
  Expressions& expressions_;
  Conditions& conditions_;
  Assignments& assignments_;
  AtomicUpdates& atomic_updates_;
};

}  // namespace dscope
