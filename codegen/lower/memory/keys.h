// Keys of associative arrays and aggregations, built in memory.
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
  // Between these, areas are those of keys within the current one.
  void enter() { ++areas_->depth; }
  void leave() { --areas_->depth; }
  void build(const std::vector<Field>& fields, uint32_t size, V key, const std::vector<Expr*>& values);
  void fill_gaps(const std::vector<Field>& fields, uint32_t size, V key);

 private:
  // Keys of expressions in keys are built while the outer key is not finished.
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
