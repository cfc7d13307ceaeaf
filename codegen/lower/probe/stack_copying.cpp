#include "codegen/lower/probe/stack_copying.h"

#include "codegen/lower/probe/syscall_context.h"
#include "contract/stacks/stack_copy.h"
#include "contract/stacks/unwind_format.h"
#include "contract/stacks/unwind_tables.h"

namespace dscope {

bool StackCopying::has_ring() const { return has_stack_copy_ring(plan_); }

// Unreadable pieces become zeros: pages beyond the end of the stack, and pages of the stack that were never used.
void StackCopying::copy_user_stack(V to, uint32_t max_bytes) {
  for (uint32_t i = 0; i < architecture_.register_words; ++i)
    b_.store(b_.at(to, i * 8), syscalls_.user_register(i * 8), 8);
  V size = b_.at(to, architecture_.register_words * 8);
  V start =
      b_.ir.CreateAnd(syscalls_.user_register(architecture_.stack_pointer), b_.number(-uint64_t{DS_STACK_PIECE_BYTES}));
  V copied = b_.number(0);
  for (uint32_t at = 0; at < max_bytes; at += DS_STACK_PIECE_BYTES) {
    V result = b_.call(Helper::ProbeReadUser,
                       {b_.at(size, 8 + at), b_.number32(DS_STACK_PIECE_BYTES), b_.ir.CreateAdd(start, b_.number(at))});
    V is_missing = b_.ir.CreateICmpSLT(result, b_.number(0));
    copied = b_.ir.CreateSelect(is_missing, copied, b_.number(at + DS_STACK_PIECE_BYTES));
  }
  b_.store(size, copied, 8);
}

V StackCopying::copy_to_ring(V is_wanted, V process, V frames, uint32_t max_frames) {
  uint64_t bytes =
      sizeof(ds_unwind_copy) + DS_STACK_COPY_SIZE(architecture_.register_words, stack_copy_bytes(plan_.options));
  V number = b_.shared_slot(8, "copy_number");
  b_.store(number, b_.number(0), 8);
  core_.when(is_wanted, [&] {
    V record =
        b_.call_for_pointer(Helper::RingbufReserve, {b_.map("ds_unwind_copies"), b_.number(bytes), b_.number(0)});
    core_.when(b_.is_nonzero(b_.to_number(record)), [&] { fill(record, process, frames, max_frames, number); });
  });
  return b_.ir.CreateShl(b_.load(number, 8, false), b_.number(32));
}

void StackCopying::fill(V record, V process, V frames, uint32_t max_frames, V number) {
  auto set = [&](size_t offset, V value) { b_.store(b_.at(record, offset), value, 8); };
  b_.store(number, b_.call_support("ds_number_copy", b_.i64, {}), 8);
  set(offsetof(ds_unwind_copy, number), b_.load(number, 8, false));
  set(offsetof(ds_unwind_copy, process), process);
  set(offsetof(ds_unwind_copy, max_frames), b_.number(max_frames));
  set(offsetof(ds_unwind_copy, first), b_.load(frames, 8, false));
  set(offsetof(ds_unwind_copy, second), b_.load(b_.at(frames, 8), 8, false));
  copy_user_stack(b_.at(record, sizeof(ds_unwind_copy)), stack_copy_bytes(plan_.options));
  b_.call(Helper::RingbufSubmit, {record, b_.number(helper_flags::no_wakeup)});
}

}  // namespace dscope
