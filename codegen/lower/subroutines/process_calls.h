// Subroutines of the D libraries that read the memory of any process.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Expressions;
class ScratchSlot;
class Strings;
class TextCalls;
class UserMemory;

class ProcessCalls : Lowerer {
 public:
  ProcessCalls(Lowering& core, ScratchSlot& scratch, Expressions& expressions, Strings& strings, TextCalls& text_calls,
               UserMemory& user_memory)
      : Lowerer(core),
        scratch_(scratch),
        expressions_(expressions),
        strings_(strings),
        text_calls_(text_calls),
        user_memory_(user_memory) {}

  V user_word_of(const Call& call);
  StringValue arguments_of(const Expr& expr, const Call& call);

 private:
  ScratchSlot& scratch_;
  Expressions& expressions_;
  Strings& strings_;
  TextCalls& text_calls_;
  UserMemory& user_memory_;
};

}  // namespace dscope
