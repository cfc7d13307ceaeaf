// The thread that a probe is about. It is the running thread, except in probes whose hook runs in another thread (see
// Derivation::subject). In those, an argument of the tracepoint is the thread, and its user memory and user stack are
// not accessible.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class MemoryAccess;

constexpr uint32_t comm_bytes = 16;  // the size of execname: the kernel's TASK_COMM_LEN

class TaskContext : Lowerer {
 public:
  TaskContext(Lowering& core, MemoryAccess& memory) : Lowerer(core), memory_(memory) {}

  bool has_other_subject() const;
  V current_task();
  V task_number();
  V pid_tgid(const Expr& at);
  V own_pid_tgid();
  V visible_pid_tgid(const Expr& at);
  V uid_gid(const Expr& at);
  V cgroup_id(const Expr& at);
  V known_execname();
  void read_execname(V to, uint32_t bytes);
  V task_member(std::string_view path, const Expr& at);
  V is_progeny(V task, V pid);
  V cpu_number();

 private:
  std::optional<uint32_t> subject_slot() const;
  std::optional<MachineNumber> offset_of(std::string_view member_name) const;
  void copy_name(V to, const MachineNumber& offset);
  V mask_of_text(V word);

  MemoryAccess& memory_;
};

}  // namespace dscope
