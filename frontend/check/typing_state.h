// TypingState: everything that typing an expression changes besides the types of its nodes, so that a failed attempt
// is undone as a whole (d-language.md 5.3): created variables and aggregations, pointees, pending mistakes.
#pragma once

#include "frontend/check/check_context.h"
#include "frontend/check/expressions/address_spaces.h"
#include "frontend/check/name_table.h"
#include "frontend/check/pending_mistakes.h"

namespace dscope {

class TypingState {
 public:
  struct Snapshot {
    NameTable::Mark names;
    size_t pointee_changes = 0;
    PendingMistakes::State mistakes;
  };

  TypingState(CheckContext& context, NameTable& names, AddressSpaces& spaces, PendingMistakes& pending)
      : context_(context), names_(names), spaces_(spaces), pending_(pending) {}

  // A clause or definition starts: no mistakes are pending, and earlier changes stay.
  void start();
  Snapshot snapshot() const;
  void restore(Snapshot snapshot);

 private:
  CheckContext& context_;
  NameTable& names_;
  AddressSpaces& spaces_;
  PendingMistakes& pending_;
};

}  // namespace dscope
