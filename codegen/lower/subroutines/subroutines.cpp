#include "codegen/lower/subroutines/subroutines.h"

#include <algorithm>

#include "codegen/lower/lowerers.h"
#include "support/check.h"

namespace dscope {

BpfBuilder& SubroutineCall::builder() const { return lower.core.builder; }

V SubroutineCall::scalar(size_t i) const { return lower.expressions.scalar(argument(i)); }

V SubroutineCall::int_argument(size_t i) const { return lower.expressions.int_argument(argument(i)); }

StringValue SubroutineCall::string(size_t i) const { return lower.strings.required_string(argument(i)); }

const ExprInfo& SubroutineCall::info(const Expr& argument) const {
  return lower.core.meaning.info(*lower.core.state.clause, argument);
}

uint32_t SubroutineCall::strsize() const { return lower.core.meaning.types->strsize(); }

uint32_t SubroutineCall::bound() const { return string_bound(lower.core.meaning, *lower.core.state.clause, expr); }

V SubroutineCall::result() const { return lower.scratch.temporary(capacity()); }

V SubroutineCall::sizes(uint32_t first, uint32_t second) const {
  uint64_t characters = std::min(bound() - 1, strsize());
  return builder().number(pack_sizes(capacity(), characters, first, second));
}

// The checker rejects rows of later releases, which have no function yet.
SubroutineResult Subroutines::emit(const Expr& expr, const Call& form, Subroutine id) {
  SubroutineCall call{all_, expr, form};
  switch (id) {
#define DS_SUBROUTINE(id, name, prototype, effect, rule, context, machine, bound, since, release) \
  case Subroutine::id:                                                                            \
    if constexpr (Release::release == Release::Now) return emit_##id(call);                       \
    break;
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
