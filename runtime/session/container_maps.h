// ContainerMaps: the names of containers for programs that compare them. The consumer stores the names of each cgroup
// that it learns of; until then programs find "".
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/load/bpf_map.h"

namespace dscope {

// Whether keys, rows or expressions name containers.
bool names_containers(const ProgramPlan& plan);

class ContainerMaps {
 public:
  // `maps` outlive this object.
  explicit ContainerMaps(const MapSet& maps);

  bool empty() const { return maps_.empty(); }
  // `names`: by ContainerPart.
  void set(uint64_t cgroup, std::span<const std::string_view> names);

 private:
  struct NameMap {
    int fd = -1;
    size_t part = 0;
    uint32_t value_size = 0, max_entries = 0;
  };

  std::vector<NameMap> maps_;
  std::deque<uint64_t> order_;  // of the cgroups in the maps, the oldest first
};

}  // namespace dscope
