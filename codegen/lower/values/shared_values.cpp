// Values that are computed once although a definition names them often (frontend/semantics/value_numbering.h). Every
// mention would read the kernel's memory anew, and take its share of compiling and verifying.
#include "codegen/lower/emitter.h"

namespace dscope {

V Emitter::shared_value(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  uint32_t alike = value_numbers_.number_of(expr, clause_);
  auto found = state_.known.values.find(alike);
  if (found != state_.known.values.end()) return found->second;
  V value = with_alias_resolved(expr, [&](const Expr& meant) { return scalar_as(meant, meaning.type); });
  state_.known.add(alike, value);
  return value;
}

}  // namespace dscope
