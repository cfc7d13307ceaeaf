// Uprobes: one link per program, file and process (uprobe.multi of Linux 6.6); on older kernels one perf event per
// uprobe.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "contract/hook.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class UprobeLinks {
 public:
  // BPF_TRACE_UPROBE_MULTI, the attach type of programs for uprobe.multi, which libbpf 1.1 does not define.
  static constexpr uint32_t multi_attach_type = 48;

  // Adds a uprobe. Ignores hooks without a path, which have no location yet.
  void add(const HookUprobe& hook, uint64_t cookie);
  bool empty() const { return groups_.empty(); }
  // Attaches the uprobes added since the last call, and removes them. `name` is the program's, for messages.
  Result<std::vector<Fd>> attach(int program_fd, const std::string& name);
  // Rows (the low halves of the cookies) of uprobes that were not attached because the kernel cannot execute their
  // instruction out of line.
  const std::vector<uint32_t>& omitted_rows() const { return omitted_rows_; }
  // Number of uprobes that have a perf event each.
  size_t single_uprobes() const { return single_uprobes_; }

 private:
  struct Group {
    std::vector<uint64_t> offsets, counters, cookies;  // parallel
    std::vector<bool> are_within;                      // UprobePosition::Within; as above
  };
  using Target = std::tuple<std::string, uint32_t, bool>;  // path, pid, is_return

  Result<> attach_group(int program_fd, const std::string& name, Target target, Group group, std::vector<Fd>& links);
  void omit_unsupported(int file, Group& group);
  Result<> link(int program_fd, const std::string& name, const Target& target, std::span<const uint64_t> offsets,
                std::span<const uint64_t> counters, std::span<const uint64_t> cookies, std::vector<Fd>& links);
  Result<> link_each(int program_fd, const std::string& name, const Target& target, std::span<const uint64_t> offsets,
                     std::span<const uint64_t> counters, std::span<const uint64_t> cookies, std::vector<Fd>& links);

  std::map<Target, Group> groups_;
  void omit(uint64_t cookie) { omitted_rows_.push_back(static_cast<uint32_t>(cookie)); }
  std::vector<uint32_t> omitted_rows_;
  size_t single_uprobes_ = 0;
  bool has_multi_ = true;  // until the kernel rejects a uprobe.multi link
};

}  // namespace dscope
