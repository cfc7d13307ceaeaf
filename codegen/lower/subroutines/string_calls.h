// Subroutines whose result is a string.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class CopyCalls;
class Expressions;
class Faults;
class PathCalls;
class ProcessCalls;
class ScratchSlot;
class StringMemory;
class Strings;
class TextCalls;
class UserMemory;

class StringCalls : Lowerer {
 public:
  StringCalls(Lowering& core, ScratchSlot& scratch, Faults& faults, Expressions& expressions, Strings& strings,
              StringMemory& string_memory, CopyCalls& copy_calls, TextCalls& text_calls, PathCalls& path_calls,
              ProcessCalls& process_calls, UserMemory& user_memory)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        expressions_(expressions),
        strings_(strings),
        string_memory_(string_memory),
        copy_calls_(copy_calls),
        text_calls_(text_calls),
        path_calls_(path_calls),
        process_calls_(process_calls),
        user_memory_(user_memory) {}

  StringValue call(const Expr& expr, const Call& call, Subroutine subroutine);

 private:
  ScratchSlot& scratch_;
  Faults& faults_;
  Expressions& expressions_;
  Strings& strings_;
  StringMemory& string_memory_;
  CopyCalls& copy_calls_;
  TextCalls& text_calls_;
  PathCalls& path_calls_;
  ProcessCalls& process_calls_;
  UserMemory& user_memory_;
  V driver_table_ = nullptr;
};

}  // namespace dscope
