// Builds the keys of associative arrays and aggregations in memory.
#pragma once

#include "codegen/lower/lowerer.h"
#include "codegen/lower/per_function.h"

namespace dscope {

class Fields;
class ScratchSlot;

class Keys : Lowerer {
 public:
  Keys(Lowering& core, ScratchSlot& scratch, Fields& fields) : Lowerer(core), scratch_(scratch), fields_(fields) {}

  V area(uint32_t size);
  // Between these calls, area() returns memory for keys that are nested in the current one.
  void enter() { ++areas_->depth; }
  void leave() { --areas_->depth; }
  void build(const std::vector<Field>& fields, uint32_t size, V key, const std::vector<Expr*>& values);
  // Writes one of the fields, whose words fill_gaps() has prepared.
  void write(const std::vector<Field>& fields, const Field& field, V key, const Expr& value);
  void fill_gaps(const std::vector<Field>& fields, uint32_t size, V key);

 private:
  // An expression in a key may contain a key, which is built before the outer key is complete.
  static constexpr size_t stack_key_depth = 2;
  struct Areas {
    std::array<llvm::AllocaInst*, stack_key_depth> slots{};  // by nesting depth
    size_t depth = 0;
  };

  ScratchSlot& scratch_;
  Fields& fields_;
  PerFunction<Areas> areas_{b_};
};

}  // namespace dscope
