// Faults: a fault ends the clause, reports the reason, and runs the ERROR clauses.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Clauses;
class Counters;
class Functions;
class Ring;

class Faults : Lowerer {
 public:
  Faults(Lowering& core, Counters& counters, Functions& functions, Clauses& clauses, Ring& ring)
      : Lowerer(core), counters_(counters), functions_(functions), clauses_(clauses), ring_(ring) {}

  void fault(uint32_t code, V value, const Expr& at);
  void fault_if(V condition, uint32_t code, V value, const Expr& at);
  // Faults with an invalid address if a read failed. `space`: the space that the read was from.
  void read_fault_if(V has_failed, Space space, V address, const Expr& at);
  // Faults if the index is not below `limit` (a constant). Returns the index in a form whose bound the verifier knows.
  V bounded(V index, const MachineNumber& limit, uint32_t code, const Expr& at);
  void discard_record();
  void end_clause();
  void end_clause_if(V condition);

 private:
  llvm::Function* fault_function();
  llvm::Function* error_function(BpfContext kind);
  void emit_error_function(BpfContext kind);
  void emit_error_clauses(llvm::Function* function, BpfContext kind);
  void fault_if_at(uint32_t site, V condition, uint32_t code, V value);
  void fault_at(uint32_t site, uint32_t code, V value);
  // `reads_kernel`: the fault is a failed read of kernel memory.
  [[nodiscard]] uint32_t fault_site(const Expr& at, bool reads_kernel = false);

  Counters& counters_;
  Functions& functions_;
  Clauses& clauses_;
  Ring& ring_;
  llvm::Function* fault_function_ = nullptr;
  std::vector<std::pair<BpfContext, llvm::Function*>> error_functions_;
};

}  // namespace dscope
