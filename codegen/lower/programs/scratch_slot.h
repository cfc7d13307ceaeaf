// The scratch slot: memory for one firing that is too large for the stack. Each program claims its own slot, because
// another program may interrupt or preempt it on its CPU.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class ScratchSlot : Lowerer {
 public:
  explicit ScratchSlot(Lowering& core);

  // Emits code that claims a slot, or jumps to `lost` if all slots are in use.
  V claim(llvm::BasicBlock* lost);
  V at(uint32_t offset);
  // Memory that is valid until the end of the statement.
  V temporary(uint32_t size);

  // Temporaries are released in stack order.
  uint32_t temporary_end() const { return temporary_end_; }
  void release_temporaries(uint32_t end) { temporary_end_ = end; }
  void begin_clause() { temporary_end_ = first_temporary_; }

  uint32_t comm_offset() const { return comm_offset_; }
  uint32_t alloca_area() const { return alloca_area_; }
  // Stores the size and the number of slots in the module.
  void describe_map() const;

 private:
  bool is_claimed_ = false;
  uint32_t slots_per_cpu_ = default_scratch_slots;
  uint32_t comm_offset_ = 0;      // offset of execname
  uint32_t alloca_area_ = 0;      // offset of the memory for alloca() and copyin(); 0: not used
  uint32_t first_temporary_ = 0;  // offset of the first temporary
  uint32_t temporary_end_ = 0;    // offset of the next free byte
  uint32_t size_ = 0;             // the maximum over all functions
};

}  // namespace dscope
