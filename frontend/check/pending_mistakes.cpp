#include "frontend/check/pending_mistakes.h"

#include <algorithm>

namespace dscope {

void PendingMistakes::defer(Tag tag, const Position& at, std::string message) {
  state_.deferred.push_back(
      {.statement = context_.statement,
       .diagnostic = {.tag = tag, .message = std::move(message), .at = at, .phase = diagnostics_.phase(), .hint = {}}});
}

void PendingMistakes::report_deferred(const Statement* statement) {
  for (const State::Deferred& deferred : state_.deferred)
    if (deferred.statement == statement) diagnostics_.add(deferred.diagnostic);
}

void PendingMistakes::defer_unavailable(const Position& at, std::string message) {
  if (state_.unavailable) return;
  state_.unavailable = Diagnostic{
      .tag = Tag::D_UNKNOWN, .message = std::move(message), .at = at, .phase = diagnostics_.phase(), .hint = {}};
}

void PendingMistakes::report_unavailable() {
  if (state_.unavailable) diagnostics_.add(*state_.unavailable);
  state_.unavailable.reset();
}

bool PendingMistakes::has_destructive_call(const Statement& statement) const {
  return std::ranges::find(state_.destructive_calls, &statement) != state_.destructive_calls.end();
}

}  // namespace dscope
