#include "frontend/check/typing_state.h"

namespace dscope {

void TypingState::start() {
  pending_.restore({});
  spaces_.start();
  context_.statement = nullptr;
}

TypingState::Snapshot TypingState::snapshot() const {
  return {.names = names_.mark(), .pointee_changes = spaces_.mark(), .mistakes = pending_.state()};
}

void TypingState::restore(Snapshot snapshot) {
  spaces_.roll_back(snapshot.pointee_changes);
  names_.roll_back(snapshot.names);
  spaces_.forget_removed_variables();
  pending_.restore(std::move(snapshot.mistakes));
}

}  // namespace dscope
