#include "codegen/lower/probe/kept_stacks.h"

#include "codegen/lower/probe/pt_regs.h"
#include "codegen/lower/probe/stacks.h"
#include "codegen/lower/probe/syscall_context.h"
#include "codegen/lower/probe/task_context.h"
#include "contract/stack_copy.h"

namespace dscope {

bool KeptStacks::keeps_stacks() const { return frame_.program != nullptr && !frame_.program->kept_stack.is_empty(); }

bool KeptStacks::keeps_user_stacks() const { return keeps_stacks() && frame_.program->kept_stack.frames != 0; }

bool KeptStacks::keeps_kernel_stacks() const { return keeps_stacks() && frame_.program->kept_stack.kernel_frames != 0; }

V KeptStacks::kept_stack(V task, uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet, {b_.map("ds_stacks"), task, b_.null(), b_.number(flags)});
}

// Runs before the clauses, while the running thread is the one that will wait.
void KeptStacks::keep_stacks() {
  frame_.subject = b_.call_pure_for_pointer(Helper::GetCurrentTaskBtf, {});
  V storage = kept_stack(frame_.subject, helper_flags::create_storage);
  core_.when(b_.is_nonzero(b_.to_number(storage)), [&] {
    V words = b_.pin(storage);
    if (keeps_kernel_stacks()) keep_kernel_stack(words);
    if (keeps_user_stacks()) keep_user_stack(b_.at(words, kept_kernel_bytes(frame_.program->kept_stack)));
  });
  frame_.subject = nullptr;
  state_.cache.clear();
  state_.firing.clear();
}

void KeptStacks::keep_stack(V words, uint32_t bytes, uint64_t flags) {
  V found = b_.call(Helper::GetStack, {frame_.context, b_.at(words, 8), b_.number32(bytes), b_.number(flags)});
  V is_failure = b_.ir.CreateICmpSLT(found, b_.number(0));
  b_.store(words, b_.ir.CreateSelect(is_failure, b_.number(0), found), 8);
}

// With the tracer's own frames, as the running thread's stack has them.
void KeptStacks::keep_kernel_stack(V words) { keep_stack(words, frame_.program->kept_stack.kernel_frames * 8, 0); }

void KeptStacks::keep_user_stack(V words) {
  const KeptStack& kept = frame_.program->kept_stack;
  uint32_t bytes = kept.frames * 8;
  keep_stack(words, bytes, helper_flags::user_stack);
  if (kept.has_copy) copy_user_stack(b_.at(words, 8 + bytes), kept_copy_bytes(plan_.options));
}

void KeptStacks::with_kept_stack(const std::function<void(V)>& emit) {
  V storage = kept_stack(task_.current_task(), 0);
  core_.when(b_.is_nonzero(b_.to_number(storage)), [&] { emit(b_.pin(storage)); });
}

void KeptStacks::with_kept_user_stack(const std::function<void(V)>& emit) {
  with_kept_stack([&](V words) { emit(b_.at(words, kept_kernel_bytes(frame_.program->kept_stack))); });
}

// Copies the frames behind a word with their size, which goes to `size` too.
void KeptStacks::copy_kept_frames(V words, V to, uint32_t bytes, V size) {
  V found = b_.load(words, 8, false);
  V is_longer = b_.ir.CreateICmpUGT(found, b_.number(bytes));
  b_.store(size, b_.ir.CreateSelect(is_longer, b_.number(bytes), found), 8);
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), b_.to_number(b_.at(words, 8))});
}

// Copies the kept user stack and returns its size in bytes. The rest of `to` is zeroed.
V KeptStacks::kept_user_stack(V to, uint32_t bytes) {
  V size = b_.shared_slot(8, "stack_size");
  b_.store(size, b_.number(0), 8);
  b_.zero(to, bytes);
  with_kept_user_stack([&](V words) { copy_kept_frames(words, to, bytes, size); });
  return b_.load(size, 8, false);
}

// Copies the kept kernel stack or, if none is kept, reads one by bpf_get_task_stack. Returns its size in bytes, or the
// helper's negative error.
V KeptStacks::kept_kernel_stack(V to, uint32_t bytes) {
  V size = kept_kernel_size();
  b_.store(size, b_.number(0), 8);
  with_kept_stack([&](V words) { copy_kept_frames(words, to, bytes, size); });
  V result = b_.shared_slot(8, "stack_size");
  b_.store(result, b_.load(size, 8, false), 8);
  core_.when(b_.is_zero(b_.load(size, 8, false)), [&] {
    b_.store(result, b_.call(Helper::GetTaskStack, {task_.current_task(), to, b_.number32(bytes), b_.number(0)}), 8);
  });
  return b_.load(result, 8, false);
}

// Where kept_kernel_stack() leaves the bytes of what was kept; 0: the kernel told the stack, without tracer's frames.
V KeptStacks::kept_kernel_size() { return b_.shared_slot(8, "kept_size"); }

void KeptStacks::copy_kept_stack(V to) {
  b_.zero(to, DS_STACK_REGISTERS * 8 + 8);  // no registers, and no bytes behind them
  with_kept_user_stack([&](V words) {
    V from = b_.at(words, 8 + frame_.program->kept_stack.frames * 8);
    b_.call(Helper::ProbeReadKernel,
            {to, b_.number32(DS_STACK_COPY_SIZE(kept_copy_bytes(plan_.options))), b_.to_number(from)});
  });
}

// A word of the struct pt_regs that describes the thread in its program.
V KeptStacks::user_word(uint32_t index) {
  if (frame_.kind == BpfContext::Probe) return b_.load(core_.context_at(index * 8), 8, false);
  return syscalls_.register_at(index * 8);
}

// Pieces that cannot be read are zeroes: there are pages behind the stack's end, and within it that nobody has used.
void KeptStacks::copy_user_stack(V to, uint32_t most) {
  for (uint32_t i = 0; i < DS_STACK_REGISTERS; ++i) b_.store(b_.at(to, i * 8), user_word(i), 8);
  V size = b_.at(to, DS_STACK_REGISTERS * 8), start = user_word(pt_regs_sp / 8);
  V copied = b_.number(0);
  for (uint32_t at = 0; at < most; at += DS_STACK_PIECE_BYTES) {
    V result = b_.call(Helper::ProbeReadUser,
                       {b_.at(size, 8 + at), b_.number32(DS_STACK_PIECE_BYTES), b_.ir.CreateAdd(start, b_.number(at))});
    V is_missing = b_.ir.CreateICmpSLT(result, b_.number(0));
    copied = b_.ir.CreateSelect(is_missing, copied, b_.number(at + DS_STACK_PIECE_BYTES));
  }
  b_.store(size, copied, 8);
}

}  // namespace dscope
