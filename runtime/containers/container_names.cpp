#include "runtime/containers/container_names.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

constexpr auto retry_period = std::chrono::milliseconds{200};
constexpr int max_tries = 10;
constexpr size_t max_young = 1000;
// Looking for a cgroup that no event has announced reads the whole tree.
constexpr auto min_scan_period = std::chrono::seconds{1};

}  // namespace

ContainerNames ContainerNames::of_machine() {
  const char* value = std::getenv("DSCOPE_CONTAINER_ROOT");
  std::string root = value != nullptr ? value : "";
  std::string cgroups = root + "/sys/fs/cgroup";
  bool has_own = !root.empty() && ::access((cgroups + "/cgroup.controllers").c_str(), F_OK) == 0;
  return ContainerNames{root, CgroupTree{has_own ? cgroups : find_cgroup_mount(), /*is_watching=*/true}};
}

void ContainerNames::set_observer(Observer observer) {
  observer_ = std::move(observer);
  read_existing();
}

void ContainerNames::read_existing() {
  existing_read_at_ = Clock::now();
  tree_.visit_existing([this](uint64_t id, const std::string& path) {
    if (!entries_.contains(id)) add(id, path);
  });
}

ContainerNames::Entry& ContainerNames::insert(uint64_t id, Entry entry) {
  auto [place, is_new] = entries_.insert_or_assign(id, std::move(entry));
  if (is_new) order_.push_back(id);
  if (order_.size() > max_cgroups) {
    entries_.erase(order_.front());
    order_.pop_front();
  }
  return place->second;
}

ContainerNames::Entry& ContainerNames::add(uint64_t id, const std::string& path) {
  Entry& entry = insert(id, {.path = path, .names = state_.names_of(path)});
  if (!entry.names.is_final && young_.size() < max_young)
    young_.push_back({.id = id, .next_try = Clock::now() + retry_period, .tries_left = max_tries});
  if (observer_) observer_(id, entry.names);
  return entry;
}

void ContainerNames::process_events() {
  tree_.visit_created([this](uint64_t id, const std::string& path) { add(id, path); });
  if (!young_.empty()) try_young_again();
}

void ContainerNames::try_young_again() {
  Clock::time_point now = Clock::now();
  std::erase_if(young_, [&](Young& young) {
    if (now < young.next_try) return false;
    auto entry = entries_.find(young.id);
    if (entry == entries_.end()) return true;
    entry->second.names = state_.names_of(entry->second.path);
    bool is_final = entry->second.names.is_final;
    if (is_final && observer_) observer_(young.id, entry->second.names);
    young.next_try = now + retry_period;
    return is_final || --young.tries_left == 0;
  });
}

ContainerNames::Entry& ContainerNames::find(uint64_t id) {
  if (auto known = entries_.find(id); known != entries_.end()) return known->second;
  process_events();
  if (auto known = entries_.find(id); known != entries_.end()) return known->second;
  if (Clock::now() - existing_read_at_ >= min_scan_period) read_existing();
  if (auto known = entries_.find(id); known != entries_.end()) return known->second;
  return insert(id, {.path = {}, .names = {.container = fmt::format("cgroup:{}", id)}});
}

std::string_view ContainerNames::name(uint64_t cgroup, ContainerPart part) { return find(cgroup).names.part(part); }

}  // namespace dscope
