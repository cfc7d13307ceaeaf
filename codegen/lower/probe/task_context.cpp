#include "codegen/lower/probe/task_context.h"

#include <algorithm>

#include "codegen/lower/memory/memory_access.h"

namespace dscope {

V TaskContext::cpu_number() {
  return core_.once(CachedValue::Cpu, [&] { return b_.call(Helper::GetSmpProcessorId, {}); });
}

// Loads a member of the current task by its dotted path, with offsets from the running kernel's BTF.
V TaskContext::task_member(std::string_view path, const Expr& at) {
  std::vector<Lowering::HeldNumber> offset;
  V base = current_task();
  const std::vector<TaskMember>& members = compiled_.task_members;
  for (size_t end = 0; end < path.size();) {
    end = std::min(path.find('.', end + 1), path.size());
    auto member = std::ranges::find(members, path.substr(0, end), &TaskMember::path);
    if (member == members.end()) return b_.number(0);
    offset.push_back({member->offset, &*member});
    if (!member->is_pointer && member->size == 0) continue;  // an embedded struct: its members follow
    MachineNumber sum = core_.machine_sum(offset);
    V value = options_.trusted_loads
                  ? b_.load_kernel(b_.to_pointer(base), sum, member->size, false)
                  : memory_.read_checked({Space::Kernel, b_.add(b_.to_number(base), sum)}, member->size, false, at);
    if (!member->is_pointer) return value;
    base = value;
    offset.clear();
  }
  return b_.to_number(base);
}

// 1 if the task belongs to the process `pid` or one of its descendants. The member offsets must be known.
V TaskContext::is_progeny(V task, V pid) {
  V parent = b_.number(memory_.object_member("struct task_struct.real_parent").value_or(0));
  V tgid = b_.number(memory_.object_member("struct task_struct.tgid").value_or(0));
  V offsets = b_.ir.CreateOr(b_.ir.CreateShl(tgid, b_.number(32)), parent);
  return b_.call_support("ds_progenyof", b_.i64, {task, offsets, pid});
}

bool TaskContext::has_other_subject() const { return subject_slot().has_value(); }

std::optional<uint32_t> TaskContext::subject_slot() const {
  if (frame_.iterator != nullptr) return frame_.iterator->subject;
  const DerivedProbe* derived = frame_.program != nullptr ? frame_.program->derived : nullptr;
  return derived != nullptr ? derived->derivation->subject : std::nullopt;
}

// The task as a typed pointer that helpers accept.
V TaskContext::current_task() {
  if (frame_.subject != nullptr) return frame_.subject;
  return core_.once_per_firing(CachedValue::Task, [&]() -> V {
    if (auto slot = subject_slot()) return core_.load_context_pointer(uint64_t{*slot} * 8);
    return b_.call_pure_for_pointer(Helper::GetCurrentTaskBtf, {});
  });
}

// The task's address as a number that allows arithmetic.
V TaskContext::task_number() {
  return core_.once(CachedValue::TaskNumber, [&]() -> V {
    if (!has_other_subject()) return b_.call(Helper::GetCurrentTask, {});
    return b_.opaque_to_verifier(current_task());
  });
}

V TaskContext::pid_tgid(const Expr& at) {
  auto read = [&]() -> V {
    V tgid = task_member(task_path::process_id, at), pid = task_member(task_path::thread_id, at);
    return b_.ir.CreateOr(b_.ir.CreateShl(tgid, b_.number(32)), b_.ir.CreateAnd(pid, b_.number(0xffffffff)));
  };
  if (has_other_subject()) return read();
  // A helper call is faster only if the program does not have the task yet.
  bool has_task = options_.trusted_loads && state_.cache.find(CachedValue::Task) != nullptr;
  bool can_read = has_task && offset_of(task_path::process_id) && offset_of(task_path::thread_id);
  return core_.once(CachedValue::PidTgid, [&] { return can_read ? read() : b_.call(Helper::GetCurrentPidTgid, {}); });
}

// The IDs of the running thread in dscope's PID namespace, to which $target belongs; 0 if the thread is in another
// namespace.
V TaskContext::own_pid_tgid() {
  if (layout_.pid_namespace == 0) return b_.call(Helper::GetCurrentPidTgid, {});
  V numbers = b_.shared_slot(8, "numbers");  // struct bpf_pidns_info: pid (the thread), tgid (the process)
  b_.store(numbers, b_.number(0), 8);
  b_.call(Helper::GetNsCurrentPidTgid,
          {b_.number(core_.machine_number(layout_.pid_namespace_device, &layout_.pid_namespace_device)),
           b_.number(core_.machine_number(layout_.pid_namespace, &layout_.pid_namespace)), numbers, b_.number32(8)});
  return b_.load(numbers, 8, false);
}

// The IDs that users see. A thread that is not running has its IDs of the initial namespace.
V TaskContext::visible_pid_tgid(const Expr& at) {
  if (layout_.pid_namespace == 0 || has_other_subject()) return pid_tgid(at);
  return core_.once(CachedValue::VisiblePidTgid, [&] { return own_pid_tgid(); });
}

V TaskContext::uid_gid(const Expr& at) {
  if (!has_other_subject())
    return core_.once(CachedValue::UidGid, [&] { return b_.call(Helper::GetCurrentUidGid, {}); });
  V uid = task_member(task_path::uid, at), gid = task_member(task_path::gid, at);
  return b_.ir.CreateOr(b_.ir.CreateShl(gid, b_.number(32)), b_.ir.CreateAnd(uid, b_.number(0xffffffff)));
}

// The id of the thread's cgroup in the unified hierarchy.
V TaskContext::cgroup_id(const Expr& at) {
  if (!has_other_subject()) return b_.call(Helper::GetCurrentCgroupId, {});
  return task_member(row(BuiltinVariable::Container).task_member, at);
}

// The address of execname if it has already been read, or null.
V TaskContext::known_execname() {
  V stacked = state_.cache.find(CachedValue::StackedExecname);
  return stacked != nullptr ? stacked : state_.cache.find(CachedValue::Execname);
}

// The offset of a direct member of the task, if the plan has it and the kernel's types are known.
std::optional<MachineNumber> TaskContext::offset_of(std::string_view member_name) const {
  for (const TaskMember& member : compiled_.task_members)
    if (member.path == member_name) return core_.machine_number(member.offset, &member);
  return std::nullopt;
}

// Writes the task's name, zero-padded to `bytes` (a multiple of 8, at most 16).
void TaskContext::read_execname(V to, uint32_t bytes) {
  std::optional<MachineNumber> offset = offset_of(task_path::name);
  if (has_other_subject()) {
    V name = b_.add(task_number(), offset.value_or(0));
    b_.call(Helper::ProbeReadKernel, {to, b_.number32(bytes), name});
    return;
  }
  if (offset && options_.trusted_loads && bytes == comm_bytes) return copy_name(to, *offset);
  b_.call(Helper::GetCurrentComm, {to, b_.number32(bytes)});
}

// Copies the name of the running thread as bpf_get_current_comm() does, in a fraction of its time. Kernels before 5.17
// leave bytes of an older name behind the terminator. A branch would double the paths that the verifier follows.
void TaskContext::copy_name(V to, const MachineNumber& offset) {
  V task = current_task();
  V first = b_.load_kernel(task, offset, 8, false);
  V rest = offset.index ? b_.load_kernel(b_.at(b_.at(task, offset), 8), 8, false)
                        : b_.load_kernel(b_.at(task, offset.now + 8), 8, false);
  V second = b_.ir.CreateAnd(rest, b_.number(~uint64_t{0} >> 8));
  V first_mask = mask_of_text(first);
  V is_continued = b_.opaque(b_.ir.CreateAShr(first_mask, b_.number(63)));  // all ones or 0
  V second_mask = b_.ir.CreateAnd(mask_of_text(second), is_continued);
  b_.store(to, b_.ir.CreateAnd(first, first_mask), 8);
  b_.store(b_.at(to, 8), b_.ir.CreateAnd(second, second_mask), 8);
}

// A mask of the bytes of the word before its first zero byte; all ones if no byte is zero.
V TaskContext::mask_of_text(V word) {
  V borrowed = b_.ir.CreateSub(word, b_.number(0x0101010101010101));
  V zeros = b_.ir.CreateAnd(b_.ir.CreateAnd(borrowed, b_.ir.CreateNot(word)), b_.number(0x8080808080808080));
  V lowest = b_.ir.CreateAnd(zeros, b_.ir.CreateNeg(zeros));
  return b_.ir.CreateSub(b_.ir.CreateLShr(lowest, b_.number(7)), b_.number(1));
}

}  // namespace dscope
