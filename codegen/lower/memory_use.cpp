#include "codegen/lower/memory_use.h"

#include "frontend/semantics/walk.h"
#include "frontend/syntax/operators.h"

namespace dscope {

namespace {

// The lvalue that an assignment, ++ or -- changes, with inlines resolved; null for any other expression.
const Expr* changed_lvalue(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  const Expr* target = changed_operand(expr);
  while (target != nullptr && meaning.info(clause, *target).stands_for != nullptr)
    target = meaning.info(clause, *target).stands_for;
  return target;
}

// Whether the expression changes a byte of a string, or a byte behind a pointer that may point into D variables.
bool stores_byte(const Semantics& meaning, const ClauseInstance& clause, const Expr& expr) {
  const Expr* target = changed_lvalue(meaning, clause, expr);
  if (target == nullptr || meaning.types->size_of(meaning.info(clause, *target).type) != 1) return false;
  const auto* index = std::get_if<Index>(&target->form);
  const auto* deref = std::get_if<Unary>(&target->form);
  const Expr* base = index != nullptr ? index->base : deref != nullptr ? deref->operand : nullptr;
  if (base == nullptr) return false;
  const ExprInfo& whole = meaning.info(clause, *base);
  return meaning.types->is_string(whole.type) ||
         (meaning.types->is_pointer(whole.type) && whole.space != Space::Scratch);
}

}  // namespace

MemoryUse find_memory_use(const Semantics& meaning) {
  MemoryUse use;
  walk_program(meaning, [&](const Expr& expr, const ClauseInstance& clause) {
    use.stores_bytes |= stores_byte(meaning, clause, expr);
    const auto* id = std::get_if<Subroutine>(&meaning.info(clause, expr).binding);
    use.allocates |= id != nullptr && row(*id).effect == SubroutineEffect::Allocates;
  });
  return use;
}

}  // namespace dscope
