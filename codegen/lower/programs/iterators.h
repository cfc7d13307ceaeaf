// Iterator programs: the kernel runs them once for each of its objects of one kind. After the last object it runs them
// once more, with a null object.
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
