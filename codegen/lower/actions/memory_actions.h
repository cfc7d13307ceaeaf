// print(), tracemem() and pcap(): copy objects, memory and packets into the record.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class AllocaMemory;
class Expressions;
class Faults;
class Fields;
class MemoryAccess;

class MemoryActions : Lowerer {
 public:
  MemoryActions(Lowering& core, Faults& faults, Expressions& expressions, MemoryAccess& memory,
                AllocaMemory& alloca_memory, Fields& fields)
      : Lowerer(core),
        faults_(faults),
        expressions_(expressions),
        memory_(memory),
        alloca_memory_(alloca_memory),
        fields_(fields) {}

  void trace_memory(const Call& call, const ActionPlan& plan);
  void print_value(const Call& call, const ActionPlan& plan);
  void record_packet(const Expr& expr, const Call& call, const ActionPlan& plan);

 private:
  V readable_address_of(const Expr& pointer, V address, uint64_t size);
  V packet_member(V packet, const char* path, uint32_t size, const Expr& at);
  V start_of_packet(V packet, V data, V protocol, const Expr& at);

  Faults& faults_;
  Expressions& expressions_;
  MemoryAccess& memory_;
  AllocaMemory& alloca_memory_;
  Fields& fields_;
};

}  // namespace dscope
