// The scratch slot: memory of one firing that is too large for the stack. Each program claims a slot of its own,
// because another program may interrupt or preempt it on its CPU.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class ScratchSlot : Lowerer {
 public:
  explicit ScratchSlot(Lowering& core);

  // Emits the claim of a slot, and a jump to `lost` if all of them are in use.
  V claim(llvm::BasicBlock* lost);
  V at(uint32_t offset);
  // Memory until the end of the statement.
  V temporary(uint32_t size);

  // Temporaries are released in the order of a stack.
  uint32_t temporary_end() const { return temporary_end_; }
  void release_temporaries(uint32_t end) { temporary_end_ = end; }
  void begin_clause() { temporary_end_ = first_temporary_; }

  uint32_t comm_offset() const { return comm_offset_; }
  uint32_t alloca_area() const { return alloca_area_; }
  // Stores in the module how large slots are, and how many there are.
  void describe_map() const;

 private:
  bool is_claimed_ = false;
  uint32_t slots_per_cpu_ = default_scratch_slots;
  uint32_t comm_offset_ = 0;      // of execname
  uint32_t alloca_area_ = 0;      // offset of the memory of alloca() and copyin(); 0: not used
  uint32_t first_temporary_ = 0;  // where temporaries begin
  uint32_t temporary_end_ = 0;    // next free byte
  uint32_t size_ = 0;             // the most that any function needs
};

}  // namespace dscope
