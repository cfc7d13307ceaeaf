// Lowers clauses: predicate, record, and the statements of the body.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Actions;
class Aggregations;
class AllocaMemory;
class Arguments;
class Expressions;
class Faults;
class Records;
class ScratchSlot;
class Speculation;

class Clauses : Lowerer {
 public:
  Clauses(Lowering& core, ScratchSlot& scratch, Faults& faults, Arguments& arguments, Expressions& expressions,
          AllocaMemory& alloca_memory, Records& records, Actions& actions, Speculation& speculation,
          Aggregations& aggregations)
      : Lowerer(core),
        scratch_(scratch),
        faults_(faults),
        arguments_(arguments),
        expressions_(expressions),
        alloca_memory_(alloca_memory),
        records_(records),
        actions_(actions),
        speculation_(speculation),
        aggregations_(aggregations) {}

  void emit_clause(uint32_t number);

 private:
  void emit_predicate(const Expr* predicate);
  void emit_body(const std::vector<Statement*>& body);
  void emit_statement(const Expr& expr);
  void split_long_block();
  void emit_if(const IfStatement& statement);

  ScratchSlot& scratch_;
  Faults& faults_;
  Arguments& arguments_;
  Expressions& expressions_;
  AllocaMemory& alloca_memory_;
  Records& records_;
  Actions& actions_;
  Speculation& speculation_;
  Aggregations& aggregations_;
};

}  // namespace dscope
