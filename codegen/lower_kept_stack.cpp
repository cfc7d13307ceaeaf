// User stacks of threads that do not run, for probes about a thread that is about to: sched:::on-cpu and
// io:::wait-done. The kernel walks the running thread's user stack alone. That one is about to give up its CPU, and its
// stack will be the same when it gets one again: the program keeps it in the thread's element of map ds_stacks, one
// word with the bytes that were found, the frames, and with DWARF the copy that the consumer unwinds. A thread that has
// not been seen to give up a CPU has an empty stack.
#include "codegen/emitter.h"
#include "contract/stack_copy.h"

namespace dscope {

namespace {

constexpr uint64_t user_stack = 256;    // BPF_F_USER_STACK
constexpr uint64_t create_storage = 1;  // BPF_LOCAL_STORAGE_GET_F_CREATE

}  // namespace

bool Emitter::keeps_stacks() const { return frame_.program != nullptr && frame_.program->kept_stack.frames != 0; }

V Emitter::kept_stack(V task, uint64_t flags) {
  return b_.call_for_pointer(Helper::TaskStorageGet, {b_.map("ds_stacks"), task, b_.null(), b_.number(flags)});
}

// Runs before the clauses, while the running thread is the one that will wait.
void Emitter::keep_user_stack() {
  const KeptStack& kept = frame_.program->kept_stack;
  uint32_t bytes = kept.frames * 8;
  frame_.subject = b_.call_for_same_pointer(Helper::GetCurrentTaskBtf, {});
  V storage = kept_stack(frame_.subject, create_storage);
  when(b_.is_nonzero(b_.to_number(storage)), [&] {
    V words = b_.guarded(storage);
    V found = b_.call(Helper::GetStack, {frame_.context, b_.at(words, 8), b_.number32(bytes), b_.number(user_stack)});
    V is_failure = b_.ir.CreateICmpSLT(found, b_.number(0));
    b_.store(words, b_.ir.CreateSelect(is_failure, b_.number(0), found), 8);
    if (kept.has_copy) copy_user_stack(b_.at(words, 8 + bytes), kept_copy_bytes(plan_.options));
  });
  frame_.subject = nullptr;
  cache_.clear();
  state_.firing.clear();
}

void Emitter::with_kept_stack(const std::function<void(V)>& emit) {
  V storage = kept_stack(current_task(), 0);
  when(b_.is_nonzero(b_.to_number(storage)), [&] { emit(b_.guarded(storage)); });
}

// Its bytes; the rest of `to` is zeroes.
V Emitter::kept_user_stack(V to, uint32_t bytes) {
  V size = b_.shared_slot(8, "stack_size");
  b_.store(size, b_.number(0), 8);
  b_.zero(to, bytes);
  with_kept_stack([&](V words) {
    V found = b_.load(words, 8, false);
    V is_longer = b_.ir.CreateICmpUGT(found, b_.number(bytes));
    b_.store(size, b_.ir.CreateSelect(is_longer, b_.number(bytes), found), 8);
    b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), b_.to_number(b_.at(words, 8))});
  });
  return b_.load(size, 8, false);
}

void Emitter::copy_kept_stack(V to) {
  b_.zero(to, DS_STACK_REGISTERS * 8 + 8);  // no registers, and no bytes behind them
  with_kept_stack([&](V words) {
    V from = b_.at(words, 8 + frame_.program->kept_stack.frames * 8);
    b_.call(Helper::ProbeReadKernel,
            {to, b_.number32(DS_STACK_COPY_SIZE(kept_copy_bytes(plan_.options))), b_.to_number(from)});
  });
}

}  // namespace dscope
