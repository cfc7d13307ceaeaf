// Lowers expressions to numbers. Loads extend integers to i64, and operators compute with 64 bits. Only casts,
// assignments, recording and typed parameters narrow a value to its D type (d-language.md 3.6).
#pragma once

#include "codegen/lower/lowerer.h"
#include "frontend/semantics/value_numbering.h"

namespace dscope {

class Arguments;
class Assignments;
class AtomicUpdates;
class Builtins;
class Conditions;
class Faults;
class MemoryAccess;
class Operators;
class Places;
class Strings;
class Subroutines;
class TracedVariables;
class Variables;

class Expressions : Lowerer {
 public:
  Expressions(Lowering& core, Faults& faults, Arguments& arguments, Builtins& builtins, Operators& operators,
              Conditions& conditions, Assignments& assignments, AtomicUpdates& atomic_updates, Strings& strings,
              Subroutines& subroutines, Places& places, MemoryAccess& memory, Variables& variables,
              TracedVariables& traced_variables)
      : Lowerer(core),
        faults_(faults),
        arguments_(arguments),
        builtins_(builtins),
        operators_(operators),
        conditions_(conditions),
        assignments_(assignments),
        atomic_updates_(atomic_updates),
        strings_(strings),
        subroutines_(subroutines),
        places_(places),
        memory_(memory),
        variables_(variables),
        traced_variables_(traced_variables) {}

  void begin_clause() { value_numbers_.clear_nodes(); }
  V scalar(const Expr& expr);  // i64; not narrowed to the type of `expr`
  V scalar_as(const Expr& value, TypeId type);
  V condition(const Expr& expr);    // i1
  void evaluate(const Expr& expr);  // for its effects
  // Truncates an integer to the size of `type` and extends it again. Returns values of other types unchanged.
  V narrow_to(TypeId type, V value);
  V number_or_address(const Expr& expr);
  V int_argument(const Expr& expr);
  // Runs `emit` on the expression that the alias `expr` stands for. Evaluates the operand of a translation first.
  template <typename F>
  auto with_alias_resolved(const Expr& expr, const F& emit) -> decltype(emit(expr)) {
    const ExprInfo& meaning = info(expr);
    if (meaning.operand == nullptr || operands_.contains(meaning.operand)) return emit(*meaning.stands_for);
    operands_[meaning.operand] = scalar(*meaning.operand);
    auto result = emit(*meaning.stands_for);
    operands_.erase(meaning.operand);
    return result;
  }
  // Runs `emit`, which uses an lvalue, and reuses the values of its parts that are already computed.
  template <typename F>
  auto with_parts(LvalueParts& parts, const F& emit) {
    LvalueParts* outer = std::exchange(state_.lvalue_parts, &parts);
    auto result = emit();
    state_.lvalue_parts = outer;
    parts.is_complete = true;
    return result;
  }

 private:
  bool assigns(const Expr& expr) const;
  V scalar_of(const Expr&, const IntLiteral&);
  V scalar_of(const Expr&, const StringLiteral&);
  V scalar_of(const Expr&, const Name&);
  V scalar_of(const Expr&, const SymbolRef&);
  V scalar_of(const Expr&, const AggregationRef&);
  V scalar_of(const Expr&, const Index&);
  V scalar_of(const Expr&, const Call&);
  V scalar_of(const Expr&, const Member&);
  V scalar_of(const Expr&, const Unary&);
  V scalar_of(const Expr&, const SizeofExpr&);
  V scalar_of(const Expr&, const SizeofType&);
  V scalar_of(const Expr&, const Offsetof&);
  V scalar_of(const Expr&, const Stringof&);
  V scalar_of(const Expr&, const Cast&);
  V scalar_of(const Expr&, const Xlate&);
  V scalar_of(const Expr&, const Binary&);
  V scalar_of(const Expr&, const Assign&);
  V scalar_of(const Expr&, const Ternary&);
  V scalar_of(const Expr&, const Alternative&);
  V scalar_of(const Expr&, const Comma&);
  V number_of_form(const Expr& expr);
  // The value of an inline or parameter that a definition uses many times. Computed once.
  V shared_value(const Expr& expr);
  V address_of(const Expr& object);

  Faults& faults_;
  Arguments& arguments_;
  Builtins& builtins_;
  Operators& operators_;
  Conditions& conditions_;
  Assignments& assignments_;
  AtomicUpdates& atomic_updates_;
  Strings& strings_;
  Subroutines& subroutines_;
  Places& places_;
  MemoryAccess& memory_;
  Variables& variables_;
  TracedVariables& traced_variables_;
  // For all clauses: emission may switch to another clause in between.
  ValueNumbering value_numbers_{meaning_, [this](const Expr& expr) -> const ExprInfo& { return info(expr); }};
  std::map<const Expr*, V> operands_;  // of the translated members being emitted
};

}  // namespace dscope
