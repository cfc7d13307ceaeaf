// ForwardArrays: associative arrays that a clause reads above the first assignment to them (d-language.md 5.4). The
// checker types the clauses of a unit in passes, until each such array has the type of its first assignment:
//
//   syscall::read:entry /!pending[tid]/ { ... }     a pass without a type for pending[] continues past this use
//   syscall::read:return { pending[tid] = 1; }      the next pass knows that it is an int
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

class NameTable;

class ForwardArrays : private CheckerPart {
 public:
  ForwardArrays(CheckContext& context, NameTable& names) : CheckerPart(context), names_(names) {}

  void start_unit(const ProgramUnit& unit);

  // The result of resolve().
  enum class State {
    Unknown,  // an error: the unit assigns no such array, or this is the first pass
    Untyped,  // this pass has no type for the array
    Defined,  // the variable now exists
  };
  // Resolves the array `name`, which is read at `at` and is undefined there.
  State resolve(const Name& name, const Position& at);

  // Whether the clauses of the unit must be typed again, after a pass over them. Reports arrays that never get a type.
  bool needs_another_pass();

 private:
  struct Read {
    const Name* name = nullptr;
    Position at;
  };
  struct ArrayType {
    TypeId type;
    std::vector<TypeId> keys;
  };

  bool learn_types();

  NameTable& names_;
  std::set<std::string> assigned_;  // by the unit, as spell_name() spells them
  std::unordered_map<std::string, ArrayType> types_of_arrays_;
  std::vector<Read> untyped_reads_;  // of the current pass
  // The first pass reports undefined arrays as errors, so that programs without forward reads are typed in one pass.
  bool is_first_pass_ = true;
  bool has_forward_read_ = false;
};

}  // namespace dscope
