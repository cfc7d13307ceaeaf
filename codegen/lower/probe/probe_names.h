// The fired probe: its row, its ID, and the parts of its name.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Builtins;
class ScratchSlot;
class StringMemory;

class ProbeNames : Lowerer {
 public:
  ProbeNames(Lowering& core, ScratchSlot& scratch, Builtins& builtins, StringMemory& string_memory)
      : Lowerer(core), scratch_(scratch), builtins_(builtins), string_memory_(string_memory) {}

  V probe_id();
  StringValue probe_name(ProbePart part, const Expr& at);

 private:
  V fired_row();
  StringValue name_in_table(ProbePart part);
  StringValue numbered_provider(const StringValue& provider, const Expr& at);

  ScratchSlot& scratch_;
  Builtins& builtins_;
  StringMemory& string_memory_;
};

}  // namespace dscope
