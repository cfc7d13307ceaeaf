// CgroupTree: the paths of cgroups by their ids. Knows those that exist at the start and, by events of the kernel, all
// that are created later, however shortly they exist.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/kernel/perf_rings.h"

namespace dscope {

// Where the unified hierarchy is mounted: "/sys/fs/cgroup", "/sys/fs/cgroup/unified"; "" if it is not.
std::string find_cgroup_mount();

class CgroupTree {
 public:
  using Visitor = std::function<void(uint64_t id, const std::string& path)>;

  // `directory`: the root of the tree. `is_watching`: it is the unified hierarchy of this machine, whose new cgroups
  // are watched if the kernel allows it (CAP_PERFMON).
  CgroupTree(std::string directory, bool is_watching);

  // Calls `visit` for the cgroups that exist now, at most max_cgroups.
  void visit_existing(const Visitor& visit) const;
  // Calls `visit` for the cgroups that were created since the last call, or since this object was made.
  void visit_created(const Visitor& visit);
  // Readable when visit_created() has something to do.
  std::vector<int> fds() const { return rings_ ? rings_->fds() : std::vector<int>{}; }
  // False: visit_created() never finds any.
  bool is_watching() const { return rings_ != nullptr; }

  static constexpr size_t max_cgroups = 100'000;

 private:
  std::string directory_;
  std::unique_ptr<PerfRings> rings_;
};

}  // namespace dscope
