// Uprobes: one link for all that a program watches of a file in a process (uprobe.multi of Linux 6.6); on older kernels
// a perf event for each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "contract/host.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class UprobeLinks {
 public:
  // What programs for uprobe.multi are loaded for: BPF_TRACE_UPROBE_MULTI, which libbpf 1.1 does not know.
  static constexpr uint32_t multi_attach_type = 48;

  // A hook without a path is nowhere yet.
  void add(const HookUprobe& hook, uint64_t cookie);
  bool empty() const { return groups_.empty(); }
  // Attaches what was added since the last call, and forgets it. `name` is that of the program, for messages.
  Result<std::vector<Fd>> attach(int program_fd, const std::string& name);
  // Probes that are not there, because the kernel cannot execute their instruction in another place.
  // Rows: the lower halves of their cookies.
  const std::vector<uint32_t>& left_out() const { return left_out_; }
  // Those that have a perf event of their own.
  size_t one_by_one() const { return one_by_one_; }

 private:
  struct Group {
    std::vector<uint64_t> offsets, counters, cookies;  // parallel
    std::vector<bool> are_within;                      // UprobePlace::Within; as above
  };
  using Place = std::tuple<std::string, uint32_t, bool>;  // path, pid, is_return

  void leave_out_impossible(const std::string& path, Group& group);
  Result<> link(int program_fd, const std::string& name, const Place& place, std::span<const uint64_t> offsets,
                std::span<const uint64_t> counters, std::span<const uint64_t> cookies, std::vector<Fd>& links);
  Result<> link_each(int program_fd, const std::string& name, const Place& place, std::span<const uint64_t> offsets,
                     std::span<const uint64_t> counters, std::span<const uint64_t> cookies, std::vector<Fd>& links);

  std::map<Place, Group> groups_;
  void leave_out(uint64_t cookie) { left_out_.push_back(static_cast<uint32_t>(cookie)); }

  std::vector<uint32_t> left_out_;
  size_t one_by_one_ = 0;
  bool has_multi_ = true;  // until the kernel says otherwise
};

}  // namespace dscope
