// The thread a probe is about. It is the running one, except in probes whose hook runs in another thread's place
// (Derivation::subject): there an argument of the tracepoint stands for it, and what only the running thread has, its
// user memory and user stack, cannot be had.
#include "codegen/lower/emitter.h"

namespace dscope {

bool Emitter::has_other_subject() const { return subject_slot().has_value(); }

std::optional<uint32_t> Emitter::subject_slot() const {
  if (frame_.iterator != nullptr) return frame_.iterator->subject;
  const DerivedProbe* derived = frame_.program != nullptr ? frame_.program->derived : nullptr;
  return derived != nullptr ? derived->derivation->subject : std::nullopt;
}

// A task that helpers take.
V Emitter::current_task() {
  if (frame_.subject != nullptr) return frame_.subject;
  return once_per_firing("task", [&]() -> V {
    if (auto slot = subject_slot())
      return b_.ir.CreateAlignedLoad(b_.ptr, context_at(uint64_t{*slot} * 8), llvm::Align(8));
    return b_.call_for_same_pointer(Helper::GetCurrentTaskBtf, {});
  });
}

// A task as a number to calculate with.
V Emitter::task_number() {
  return once("task number", [&]() -> V {
    if (!has_other_subject()) return b_.call(Helper::GetCurrentTask, {});
    return opaque_to_verifier(current_task());
  });
}

// The verifier allows little with a pointer it knows the type of; of a copy in memory it knows nothing.
V Emitter::opaque_to_verifier(V pointer) {
  V slot = b_.shared_slot(8, "pointer"), copy = b_.shared_slot(8, "read");
  b_.ir.CreateAlignedStore(pointer, slot, llvm::Align(8));
  b_.call(Helper::ProbeReadKernel, {copy, b_.number32(8), b_.to_number(slot)});
  return b_.load(copy, 8, false);
}

V Emitter::pid_tgid(const Expr& at) {
  if (!has_other_subject()) return once("pid_tgid", [&] { return b_.call(Helper::GetCurrentPidTgid, {}); });
  V tgid = task_member({"tgid"}, at), pid = task_member({"pid"}, at);
  return b_.ir.CreateOr(b_.ir.CreateShl(tgid, b_.number(32)), b_.ir.CreateAnd(pid, b_.number(0xffffffff)));
}

// The running thread's as our namespace counts, so that $target is the same; 0: it is in another one.
V Emitter::own_pid_tgid() {
  if (layout_.pid_namespace == 0) return b_.call(Helper::GetCurrentPidTgid, {});
  V numbers = b_.shared_slot(8, "numbers");  // struct bpf_pidns_info: those of the thread, of the process
  b_.store(numbers, b_.number(0), 8);
  b_.call(Helper::GetNsCurrentPidTgid,
          {b_.number(layout_.pid_namespace_device), b_.number(layout_.pid_namespace), numbers, b_.number32(8)});
  return b_.load(numbers, 8, false);
}

// What users see: a thread that does not run has the kernel's own number.
V Emitter::shown_pid_tgid(const Expr& at) {
  if (layout_.pid_namespace == 0 || has_other_subject()) return pid_tgid(at);
  return once("shown pid_tgid", [&] { return own_pid_tgid(); });
}

V Emitter::uid_gid(const Expr& at) {
  if (!has_other_subject()) return b_.call(Helper::GetCurrentUidGid, {});
  V uid = task_member({"real_cred", "uid", "val"}, at), gid = task_member({"real_cred", "gid", "val"}, at);
  return b_.ir.CreateOr(b_.ir.CreateShl(gid, b_.number(32)), b_.ir.CreateAnd(uid, b_.number(0xffffffff)));
}

// Where it has been read to, or null.
V Emitter::known_execname() {
  for (const char* key : {"stacked execname", "execname"})
    if (auto found = cache_.find(key); found != cache_.end()) return found->second;
  return nullptr;
}

// Writes the program's name and zeroes, `bytes` (a multiple of 8, at most 16) in all.
void Emitter::read_execname(V to, uint32_t bytes) {
  if (!has_other_subject()) {
    b_.call(Helper::GetCurrentComm, {to, b_.number32(bytes)});
    return;
  }
  uint64_t offset = 0;
  for (const TaskMember& member : compiled_.task_members)
    if (member.path == "comm") offset = member.offset;
  b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), b_.ir.CreateAdd(task_number(), b_.number(offset))});
}

}  // namespace dscope
