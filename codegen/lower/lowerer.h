// Lowerer: the base of the classes that each lower one part of D. It gives them short names for members of the core.
#pragma once

#include "codegen/lower/lowering.h"

namespace dscope {

class Lowerer {
 protected:
  explicit Lowerer(Lowering& core)
      : core_(core),
        b_(core.builder),
        meaning_(core.meaning),
        compiled_(core.compiled),
        plan_(core.plan),
        layout_(core.layout),
        architecture_(*core.layout.architecture),
        options_(core.options),
        state_(core.state),
        frame_(core.state.frame) {}

  const ExprInfo& info(const Expr& expr) const { return meaning_.info(*state_.clause, expr); }
  TypeId type_of(const Expr& expr) const { return info(expr).type; }
  bool is_string_value(const Expr& expr) const { return meaning_.types->is_string(type_of(expr)); }
  // The definition of an inline or the argument of a parameter. Any other expression resolves to itself.
  const Expr& resolve_alias(const Expr& expr) const {
    const Expr* value = info(expr).stands_for;
    return value != nullptr ? resolve_alias(*value) : expr;
  }
  // The maximum size of a string expression in bytes, including its terminator.
  uint32_t bound(const Expr& expr) const { return string_bound(meaning_, *state_.clause, expr); }
  uint32_t string_capacity() const { return round_up8(meaning_.types->strsize() + 1); }
  Dialect dialect() const { return meaning_.dialect; }
  // i1: whether the test holds for `word`, the value of its register.
  V holds(const RegisterTest& test, V word) {
    V bits = test.mask == UINT64_MAX ? word : b_.ir.CreateAnd(word, b_.number(test.mask));
    return b_.ir.CreateICmpEQ(bits, b_.number(test.value));
  }

  Lowering& core_;
  BpfBuilder& b_;
  const Semantics& meaning_;
  const CompiledPlan& compiled_;
  const ProgramPlan& plan_;
  const Layout& layout_;
  const Architecture& architecture_;  // of the machine that the program is compiled for
  const LowerOptions& options_;
  FunctionState& state_;
  Frame& frame_;
};

}  // namespace dscope
