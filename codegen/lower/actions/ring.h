// The ring buffers that carry records to the consumer: one for all CPUs, or on large machines one for each group of
// CPUs. With several, the time precedes each record, because the consumer merges them.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Ring : Lowerer {
 public:
  explicit Ring(Lowering& core);

  bool is_table() const { return table_ != nullptr; }
  // Reserves space for a record of `bytes` bytes in the ring of `cpu`; null: the CPU that runs the program. Returns a
  // pointer that is null if there is no room, for start_record(). May also branch to `lost`.
  V reserve(uint64_t bytes, llvm::BasicBlock* lost, V cpu = nullptr);
  // Returns the record in the space that reserve() has returned, which is not null.
  V start_record(V space);
  void submit(V record, uint64_t flags);
  void discard(V record, uint64_t flags);

 private:
  V number_of(V cpu);
  V space_of(V record) const;

  const MapPlan* table_ = nullptr;  // of the rings; null: there is one ring
};

}  // namespace dscope
