#include "runtime/attach/object_iteration.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace dscope {

Result<AttachedIterator> attach_iterator(int program_fd, const HookIterator& hook, const std::string& name) {
  bpf_iter_link_info info{};
  // Visit all cgroups below the root, parents before children. Other kinds have no order.
  bool is_tree = hook.target == "cgroup";
  if (is_tree) info.cgroup.order = BPF_CGROUP_ITER_DESCENDANTS_PRE;
  LIBBPF_OPTS(bpf_link_create_opts, opts, .iter_info = &info, .iter_info_len = sizeof info);
  int link = bpf_link_create(program_fd, 0, BPF_TRACE_ITER, is_tree ? &opts : nullptr);
  if (link < 0) return fail(Error::from_errno(-link, "cannot attach to {}", name));
  return AttachedIterator{.link = Fd{link}, .name = name, .is_resumable = !is_tree};
}

Result<> visit_objects(const AttachedIterator& iterator, size_t batch, const std::function<bool()>& should_continue) {
  Fd reader{bpf_iter_create(iterator.link.get())};
  if (!reader) return fail(Error::from_errno(errno, "cannot read {}", iterator.name));
  // The kernel's buffer for a reader has 8 pages.
  std::vector<char> marks(iterator.is_resumable ? batch : size_t{8} * 4096);
  do {
    ssize_t taken = ::read(reader.get(), marks.data(), marks.size());
    if (taken == 0) return {};
    if (taken < 0 && errno != EAGAIN && errno != EINTR)
      return fail(Error::from_errno(errno, "cannot read {}", iterator.name));
  } while (should_continue());
  return {};
}

size_t objects_per_read(const ProgramPlan& plan, uint64_t ring_bytes) {
  constexpr uint64_t kernel_header = 8;
  uint64_t for_one = kernel_header;
  for (const ClausePlan& clause : plan.clauses)
    if (clause.sends_records()) for_one += clause.record_size + kernel_header;
  return std::clamp<uint64_t>(ring_bytes / 2 / for_one, 1, max_objects_per_read);
}

bool has_only_iterators(const ProgramPlan& plan) {
  bool has_any = false;
  for (const BpfProgramPlan& program : plan.programs) {
    for (const Attachment& attachment : program.attachments) {
      bool is_iterator = std::holds_alternative<HookIterator>(attachment.hook);
      if (!is_iterator && !std::holds_alternative<HookTestRun>(attachment.hook)) return false;
      has_any |= is_iterator;
    }
  }
  return has_any;
}

}  // namespace dscope
