#include "codegen/lower/probe/saved_stacks.h"

#include "codegen/lower/probe/stack_copying.h"
#include "codegen/lower/probe/stacks.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/table_unwinding.h"
#include "codegen/lower/probe/task_context.h"
#include "contract/stacks/stack_copy.h"

namespace dscope {

bool SavedStacks::saves_stacks() const { return frame_.program != nullptr && !frame_.program->saved_stack.is_empty(); }

bool SavedStacks::saves_user_stacks() const { return saves_stacks() && frame_.program->saved_stack.frames != 0; }

bool SavedStacks::saves_kernel_stacks() const {
  return saves_stacks() && frame_.program->saved_stack.kernel_frames != 0;
}

V SavedStacks::storage(V task, uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet, {b_.map("ds_stacks"), task, b_.null(), b_.number(flags)});
}

// Runs before the clauses, while the thread that will wait is still the running thread.
void SavedStacks::save_stacks() {
  frame_.subject = b_.call_pure_for_pointer(Helper::GetCurrentTaskBtf, {});
  V found = storage(frame_.subject, helper_flags::create_storage);
  core_.when(b_.is_nonzero(b_.to_number(found)), [&] {
    V words = b_.pin(found);
    if (saves_kernel_stacks()) save_kernel_stack(words);
    if (saves_user_stacks()) save_user_stack(b_.at(words, saved_kernel_bytes(frame_.program->saved_stack)));
  });
  frame_.subject = nullptr;
  state_.cache.clear();
  state_.firing.clear();
}

void SavedStacks::save_stack(V words, uint32_t bytes, uint64_t flags) {
  V found = b_.call(Helper::GetStack, {frame_.context, b_.at(words, 8), b_.number32(bytes), b_.number(flags)});
  V is_failure = b_.ir.CreateICmpSLT(found, b_.number(0));
  b_.store(words, b_.ir.CreateSelect(is_failure, b_.number(0), found), 8);
}

// The saved stack includes the tracer's own frames, like the stack of any running thread.
void SavedStacks::save_kernel_stack(V words) { save_stack(words, frame_.program->saved_stack.kernel_frames * 8, 0); }

void SavedStacks::save_user_stack(V words) {
  const SavedStack& saved = frame_.program->saved_stack;
  uint32_t bytes = saved.frames * 8;
  V frames = b_.at(words, 8), copy = b_.at(frames, bytes);
  save_stack(words, bytes, helper_flags::user_stack);
  V caller =
      saved.frames > 1 ? b_.flag(b_.is_nonzero(confirmed_caller(b_.load(b_.at(frames, 8), 8, false)))) : b_.number(0);
  b_.store(words, b_.ir.CreateOr(b_.load(words, 8, false), caller), 8);
  if (tables_.is_used()) save_unwound_stack(words, b_.at(copy, saved.has_copy ? copy_bytes() : 0));
  if (saved.has_copy) copying_.copy_user_stack(copy, saved_copy_bytes(plan_.options));
}

uint32_t SavedStacks::copy_bytes() const {
  return static_cast<uint32_t>(DS_STACK_COPY_SIZE(architecture_.register_words, saved_copy_bytes(plan_.options)));
}

// Replaces the saved stack by that of the tables if there are tables for the process. Its second frame is the caller.
void SavedStacks::save_unwound_stack(V words, V walk) {
  const SavedStack& saved = frame_.program->saved_stack;
  V frames = b_.at(words, 8);
  V unwound = tables_.unwind(frames, saved.frames * 8, walk);
  core_.when(b_.is_nonzero(unwound), [&] { b_.store(words, b_.ir.CreateOr(unwound, b_.number(1)), 8); });
  if (!copying_.has_ring() || saved.frames < 2) return;
  V process = b_.ir.CreateLShr(task_.own_pid_tgid(), b_.number(32));
  V number = copying_.copy_to_ring(tables_.is_incomplete(walk), process, frames, saved.frames);
  b_.store(words, b_.ir.CreateOr(b_.load(words, 8, false), number), 8);
}

void SavedStacks::with_saved_stack(const std::function<void(V)>& emit) {
  V found = storage(task_.current_task(), 0);
  core_.when(b_.is_nonzero(b_.to_number(found)), [&] { emit(b_.pin(found)); });
}

void SavedStacks::with_saved_user_stack(const std::function<void(V)>& emit) {
  with_saved_stack([&](V words) { emit(b_.at(words, saved_kernel_bytes(frame_.program->saved_stack))); });
}

// Copies the frames that follow their size in `words`. Stores the size, limited to `bytes`, in `size`.
void SavedStacks::copy_saved_frames(V words, V to, uint32_t bytes, V size) {
  V found = b_.ir.CreateAnd(b_.load(words, 8, false), b_.number(0xfffffff8));
  V is_longer = b_.ir.CreateICmpUGT(found, b_.number(bytes));
  b_.store(size, b_.ir.CreateSelect(is_longer, b_.number(bytes), found), 8);
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), b_.to_number(b_.at(words, 8))});
}

// Copies the saved user stack and returns its size in bytes. Zeroes the rest of `to`.
V SavedStacks::saved_user_stack(V to, uint32_t bytes) {
  V size = b_.shared_slot(8, "stack_size");
  b_.store(size, b_.number(0), 8);
  b_.zero(to, bytes);
  with_saved_user_stack([&](V words) { copy_saved_frames(words, to, bytes, size); });
  return b_.load(size, 8, false);
}

// The caller in the saved user stack; 0 if it is unknown.
V SavedStacks::saved_user_caller() {
  V caller = b_.shared_slot(8, "saved_caller");
  b_.store(caller, b_.number(0), 8);
  with_saved_user_stack([&](V words) {
    V is_confirmed = b_.is_nonzero(b_.ir.CreateAnd(b_.load(words, 8, false), b_.number(1)));
    core_.when(is_confirmed, [&] { b_.store(caller, b_.load(b_.at(words, 16), 8, false), 8); });
  });
  return b_.load(caller, 8, false);
}

// The number of the saved user stack's copy above 32 zero bits; 0 if there is none.
V SavedStacks::saved_copy_number() {
  V number = b_.shared_slot(8, "saved_copy");
  b_.store(number, b_.number(0), 8);
  with_saved_user_stack([&](V words) {
    b_.store(number, b_.ir.CreateAnd(b_.load(words, 8, false), b_.number(uint64_t{0xffffffff} << 32)), 8);
  });
  return b_.load(number, 8, false);
}

V SavedStacks::confirmed_caller(V address) {
  if (!options_.confirms_callers) return address;
  const UnwindRegisters& unwinding = architecture_.unwinding;
  V frame = syscalls_.user_register(unwinding.offsets[unwinding.frame_pointer]);
  V top = syscalls_.user_register(architecture_.stack_pointer);
  return b_.call_support("ds_confirmed_caller", b_.i64, {address, frame, top});
}

// Copies the saved kernel stack or, if there is none, reads one by bpf_get_task_stack. Returns its size in bytes, or
// the helper's negative error.
V SavedStacks::saved_kernel_stack(V to, uint32_t bytes) {
  V size = saved_kernel_size();
  b_.store(size, b_.number(0), 8);
  with_saved_stack([&](V words) { copy_saved_frames(words, to, bytes, size); });
  V result = b_.shared_slot(8, "stack_size");
  b_.store(result, b_.load(size, 8, false), 8);
  core_.when(b_.is_zero(b_.load(size, 8, false)), [&] {
    b_.store(result, b_.call(Helper::GetTaskStack, {task_.current_task(), to, b_.number32(bytes), b_.number(0)}), 8);
  });
  return b_.load(result, 8, false);
}

// The slot in which saved_kernel_stack() leaves the size of the saved stack; 0: the stack comes from the helper and has
// no tracer frames.
V SavedStacks::saved_kernel_size() { return b_.shared_slot(8, "saved_size"); }

void SavedStacks::copy_saved_stack(V to) {
  b_.zero(to, architecture_.register_words * 8 + 8);  // without a saved stack: no registers, and a size of 0
  with_saved_user_stack([&](V words) {
    V from = b_.at(words, 8 + frame_.program->saved_stack.frames * 8);
    b_.call(Helper::ProbeReadKernel, {to, b_.number32(copy_bytes()), b_.to_number(from)});
  });
}

}  // namespace dscope
