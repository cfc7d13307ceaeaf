// ContainerNames: the names of the containers of cgroups, by the ids of the cgroups. Keeps the names of cgroups that
// are gone, so that keys and rows of processes that have ended have names.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/containers/cgroup_tree.h"
#include "runtime/containers/container_state.h"

namespace dscope {

class ContainerNames {
 public:
  using Observer = std::function<void(uint64_t cgroup, const ContainerNaming& names)>;

  // `state_root`: precedes the paths of state files; "" for this machine.
  ContainerNames(std::string state_root, CgroupTree tree) : state_(std::move(state_root)), tree_(std::move(tree)) {}
  // Those of this machine. DSCOPE_CONTAINER_ROOT precedes the paths of state files and, if it has one, the hierarchy of
  // cgroups: for dscope in a container that sees the files of the host elsewhere, and for tests.
  static ContainerNames of_machine();

  // Called for each cgroup that becomes known, or whose names have changed: now for those that exist.
  void set_observer(Observer observer);
  // "" if there is none; "cgroup:ID" for a container if the cgroup is not known. Valid until the next call of a
  // function that is not const.
  std::string_view name(uint64_t cgroup, ContainerPart part);
  // Learns the cgroups that have been created. Cheap if there are none.
  void process_events();
  std::vector<int> fds() const { return tree_.fds(); }

  static constexpr size_t max_cgroups = 200'000;  // the oldest names are forgotten

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::string path;
    ContainerNaming names;
  };
  // A container whose state files were not there. Runtimes write them before they start it, but not all before they
  // create its cgroup.
  struct Young {
    uint64_t id = 0;
    Clock::time_point next_try;
    int tries_left = 0;
  };

  void read_existing();
  Entry& add(uint64_t id, const std::string& path);
  Entry& insert(uint64_t id, Entry entry);
  Entry& find(uint64_t id);
  void try_young_again();

  ContainerState state_;
  CgroupTree tree_;
  Observer observer_;
  Clock::time_point existing_read_at_{};  // epoch: never
  std::unordered_map<uint64_t, Entry> entries_;
  std::deque<uint64_t> order_;  // of the entries, the oldest first
  std::vector<Young> young_;
};

}  // namespace dscope
