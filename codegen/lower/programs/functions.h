// Functions besides the programs: groups of clauses that would be too large for one function, and code that clauses
// share.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class AllocaMemory;
class Iterators;
class ScratchSlot;

class Functions : Lowerer {
 public:
  Functions(Lowering& core, ScratchSlot& scratch, Iterators& iterators, AllocaMemory& alloca_memory)
      : Lowerer(core), scratch_(scratch), iterators_(iterators), alloca_memory_(alloca_memory) {}

  llvm::Function* shared_function(const std::string& name, llvm::FunctionType* type,
                                  const std::function<V(llvm::Function*)>& emit);
  void in_function(llvm::Function* function, const std::function<void()>& emit);
  void emit_clause_function(const std::string& name, V list, const std::function<void(V)>& emit);
  void enter_subprogram(llvm::Function* function);
  void finish_subprogram();
  V slot_for(llvm::Function* function);

 private:
  ScratchSlot& scratch_;
  Iterators& iterators_;
  AllocaMemory& alloca_memory_;
  std::map<std::string, llvm::Function*> shared_functions_;
  std::set<const llvm::Function*> slotless_functions_;
};

}  // namespace dscope
