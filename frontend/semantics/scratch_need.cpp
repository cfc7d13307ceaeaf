#include "frontend/semantics/scratch_need.h"

#include <algorithm>

#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

// Every block is rounded up to 8 bytes (consumer-and-actions.md 7).
uint64_t block_bytes(const ExprInfo& size) {
  bool is_small = size.constant && *size.constant <= max_default_scratch_bytes;
  return is_small ? (*size.constant + 7) / 8 * 8 : 0;
}

uint64_t needed_scratch_bytes(const Semantics& meaning, const ClauseInstance& clause) {
  uint64_t bytes = 0;
  bool copies = false;
  walk_clause(meaning, clause, [&](const Expr& expr) {
    const auto* id = std::get_if<Subroutine>(&meaning.info(clause, expr).binding);
    const auto* call = std::get_if<Call>(&expr.form);
    if (id == nullptr || call == nullptr) return;
    const ArgumentRule& rule = row(*id).rule;
    if (rule.kind != ArgumentRule::Kind::ScratchSize) return;
    const ExprInfo& size = meaning.info(clause, *call->arguments[rule.argument]);
    bytes += block_bytes(size);
    copies |= *id == Subroutine::Copyin && size.constant.has_value();
  });
  return copies ? bytes : 0;
}

}  // namespace

uint64_t needed_scratch_bytes(const Semantics& meaning) {
  uint64_t bytes = 0;
  for (const ClauseInstance& clause : meaning.clauses) bytes = std::max(bytes, needed_scratch_bytes(meaning, clause));
  return bytes;
}

}  // namespace dscope
