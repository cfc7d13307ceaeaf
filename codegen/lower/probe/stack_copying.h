// Copies of user stacks, which the consumer unwinds: of every stack (-x ustackunwind=dwarf), or of the stacks that the
// program could not unwind by tables. A copy of the second kind has a record in a ring of its own, and the traced value
// holds its number (contract/stacks/unwind_format.h). So all stacks of a key or a record have one layout.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class SyscallContext;

class StackCopying : Lowerer {
 public:
  StackCopying(Lowering& core, SyscallContext& syscalls) : Lowerer(core), syscalls_(syscalls) {}

  // Whether the plan has a ring for copies.
  bool has_ring() const;
  // Copies registers and stack of the running thread to `to`; at most `max_bytes` of the stack.
  void copy_user_stack(V to, uint32_t max_bytes);
  // If `is_wanted`, puts a copy into the ring. Returns its number above 32 zero bits; 0 if there is no copy. `process`:
  // its ID. `frames`: memory with the stack as far as it is known, of `max_frames` words, at least 2.
  V copy_to_ring(V is_wanted, V process, V frames, uint32_t max_frames);

 private:
  void fill(V record, V process, V frames, uint32_t max_frames, V number);

  SyscallContext& syscalls_;
};

}  // namespace dscope
