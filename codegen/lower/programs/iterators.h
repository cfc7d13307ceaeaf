// Programs that the kernel runs for each of its objects of a kind. Behind the last object the kernel runs them once
// more, with null for an object.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Iterators : Lowerer {
 public:
  explicit Iterators(Lowering& core) : Lowerer(core) {}

  void find_object(llvm::BasicBlock* otherwise);
  void mark_object();

 private:
};

}  // namespace dscope
