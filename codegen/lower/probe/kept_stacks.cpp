// Stacks of threads that do not run, for probes about a thread that is about to: sched:::on-cpu and io:::wait-done. The
// kernel walks the running thread's user stack alone, and the kernel stack of another one without the functions of the
// scheduler and of locks. The running one is about to give up its CPU, and its stacks will be the same when it gets one
// again: the program keeps them in the thread's element of map ds_stacks: of each one word with the bytes that were
// found, and the frames, first the kernel's; with DWARF the copy that the consumer unwinds. A thread that has not been
// seen to give up a CPU has an empty user stack, and the kernel stack that Linux tells.
#include "codegen/lower/emitter.h"
#include "contract/stack_copy.h"

namespace dscope {

namespace {

constexpr uint64_t user_stack = 256;    // BPF_F_USER_STACK
constexpr uint64_t create_storage = 1;  // BPF_LOCAL_STORAGE_GET_F_CREATE

}  // namespace

bool Emitter::keeps_stacks() const { return frame_.program != nullptr && !frame_.program->kept_stack.is_empty(); }

bool Emitter::keeps_user_stacks() const { return keeps_stacks() && frame_.program->kept_stack.frames != 0; }

bool Emitter::keeps_kernel_stacks() const { return keeps_stacks() && frame_.program->kept_stack.kernel_frames != 0; }

V Emitter::kept_stack(V task, uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet, {b_.map("ds_stacks"), task, b_.null(), b_.number(flags)});
}

// Runs before the clauses, while the running thread is the one that will wait.
void Emitter::keep_stacks() {
  frame_.subject = b_.call_for_same_pointer(Helper::GetCurrentTaskBtf, {});
  V storage = kept_stack(frame_.subject, create_storage);
  when(b_.is_nonzero(b_.to_number(storage)), [&] {
    V words = b_.guarded(storage);
    if (keeps_kernel_stacks()) keep_kernel_stack(words);
    if (keeps_user_stacks()) keep_user_stack(b_.at(words, kept_kernel_bytes(frame_.program->kept_stack)));
  });
  frame_.subject = nullptr;
  cache_.clear();
  state_.firing.clear();
}

void Emitter::keep_stack(V words, uint32_t bytes, uint64_t flags) {
  V found = b_.call(Helper::GetStack, {frame_.context, b_.at(words, 8), b_.number32(bytes), b_.number(flags)});
  V is_failure = b_.ir.CreateICmpSLT(found, b_.number(0));
  b_.store(words, b_.ir.CreateSelect(is_failure, b_.number(0), found), 8);
}

// With the tracer's own frames, as the running thread's stack has them.
void Emitter::keep_kernel_stack(V words) { keep_stack(words, frame_.program->kept_stack.kernel_frames * 8, 0); }

void Emitter::keep_user_stack(V words) {
  const KeptStack& kept = frame_.program->kept_stack;
  uint32_t bytes = kept.frames * 8;
  keep_stack(words, bytes, user_stack);
  if (kept.has_copy) copy_user_stack(b_.at(words, 8 + bytes), kept_copy_bytes(plan_.options));
}

void Emitter::with_kept_stack(const std::function<void(V)>& emit) {
  V storage = kept_stack(current_task(), 0);
  when(b_.is_nonzero(b_.to_number(storage)), [&] { emit(b_.guarded(storage)); });
}

void Emitter::with_kept_user_stack(const std::function<void(V)>& emit) {
  with_kept_stack([&](V words) { emit(b_.at(words, kept_kernel_bytes(frame_.program->kept_stack))); });
}

// Copies the frames behind a word with their size, which goes to `size` too.
void Emitter::copy_kept_frames(V words, V to, uint32_t bytes, V size) {
  V found = b_.load(words, 8, false);
  V is_longer = b_.ir.CreateICmpUGT(found, b_.number(bytes));
  b_.store(size, b_.ir.CreateSelect(is_longer, b_.number(bytes), found), 8);
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), b_.to_number(b_.at(words, 8))});
}

// Its bytes; the rest of `to` is zeroes.
V Emitter::kept_user_stack(V to, uint32_t bytes) {
  V size = b_.shared_slot(8, "stack_size");
  b_.store(size, b_.number(0), 8);
  b_.zero(to, bytes);
  with_kept_user_stack([&](V words) { copy_kept_frames(words, to, bytes, size); });
  return b_.load(size, 8, false);
}

// The same of the kernel; negative if it cannot be told.
V Emitter::kept_kernel_stack(V to, uint32_t bytes) {
  V size = kept_kernel_size();
  b_.store(size, b_.number(0), 8);
  with_kept_stack([&](V words) { copy_kept_frames(words, to, bytes, size); });
  V result = b_.shared_slot(8, "stack_size");
  b_.store(result, b_.load(size, 8, false), 8);
  when(b_.is_zero(b_.load(size, 8, false)), [&] {
    b_.store(result, b_.call(Helper::GetTaskStack, {current_task(), to, b_.number32(bytes), b_.number(0)}), 8);
  });
  return b_.load(result, 8, false);
}

// Where kept_kernel_stack() leaves the bytes of what was kept; 0: the kernel told the stack, without tracer's frames.
V Emitter::kept_kernel_size() { return b_.shared_slot(8, "kept_size"); }

void Emitter::copy_kept_stack(V to) {
  b_.zero(to, DS_STACK_REGISTERS * 8 + 8);  // no registers, and no bytes behind them
  with_kept_user_stack([&](V words) {
    V from = b_.at(words, 8 + frame_.program->kept_stack.frames * 8);
    b_.call(Helper::ProbeReadKernel,
            {to, b_.number32(DS_STACK_COPY_SIZE(kept_copy_bytes(plan_.options))), b_.to_number(from)});
  });
}

}  // namespace dscope
