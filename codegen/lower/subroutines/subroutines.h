// Subroutines: one function emit_<Id> per row of catalog/subroutines.def. A row without its function does not link.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

struct Lowerers;

// A call of a subroutine, with accessors for the emit functions.
struct SubroutineCall {
  Lowerers& lower;
  const Expr& expr;
  const Call& form;

  BpfBuilder& builder() const;
  size_t argument_count() const { return form.arguments.size(); }
  const Expr& argument(size_t i) const { return *form.arguments[i]; }
  V scalar(size_t i) const;
  V int_argument(size_t i) const;
  StringValue string(size_t i) const;  // faults if NULL
  const ExprInfo& info(const Expr& argument) const;

  uint32_t strsize() const;
  uint32_t string_capacity() const { return round_up8(strsize() + 1); }  // of any string

  // For a string result: its maximum size in bytes, that size rounded up to a multiple of 8, and memory of that size.
  uint32_t bound() const;
  uint32_t capacity() const { return round_up8(bound()); }
  V result() const;
  V sizes(uint32_t first = 0, uint32_t second = 0) const;  // see DS_SIZES
  StringValue text(V data, V is_null = nullptr) const { return {data, capacity(), is_null}; }
};

// The result of a subroutine: a number or a string, by the type in its prototype.
struct SubroutineResult {
  SubroutineResult(V value) : number(value) {}
  SubroutineResult(const StringValue& value) : string(value) {}

  V number = nullptr;
  StringValue string;
};

#define DS_SUBROUTINE(id, ...) SubroutineResult emit_##id(const SubroutineCall& call);
#include "catalog/subroutines.def"
#undef DS_SUBROUTINE

class Subroutines : Lowerer {
 public:
  Subroutines(Lowering& core, Lowerers& all) : Lowerer(core), all_(all) {}

  SubroutineResult emit(const Expr& expr, const Call& call, Subroutine id);

  // Constant tables, created on first use.

 private:
  Lowerers& all_;
};

}  // namespace dscope
