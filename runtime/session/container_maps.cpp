#include "runtime/session/container_maps.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace dscope {

namespace {

bool is_container(const Field& field) { return field.kind == FieldKind::Container; }

bool has_container_map(const ProgramPlan& plan) {
  return std::ranges::any_of(plan.maps, [](const MapPlan& map) {
    return std::ranges::any_of(all_container_parts,
                               [&](ContainerPart part) { return map.name == container_map(part); });
  });
}

}  // namespace

bool names_containers(const ProgramPlan& plan) {
  bool is_key = std::ranges::any_of(plan.aggregations, [](const AggregationPlan& aggregation) {
    return std::ranges::any_of(aggregation.keys, is_container);
  });
  bool is_recorded = std::ranges::any_of(plan.clauses, [](const ClausePlan& clause) {
    return std::ranges::any_of(
        clause.actions, [](const ActionPlan& action) { return std::ranges::any_of(action.fields, is_container); });
  });
  return is_key || is_recorded || has_container_map(plan);
}

ContainerMaps::ContainerMaps(const MapSet& maps) {
  for (size_t i = 0; i < std::size(all_container_parts); ++i) {
    auto map = maps.find(container_map(all_container_parts[i]));
    if (map == maps.end()) continue;
    maps_.push_back({.fd = map->second.fd(),
                     .part = i,
                     .value_size = map->second.value_size(),
                     .max_entries = map->second.max_entries()});
  }
}

void ContainerMaps::set(uint64_t cgroup, std::span<const std::string_view> names) {
  if (maps_.empty()) return;
  order_.push_back(cgroup);
  if (order_.size() > maps_.front().max_entries) {
    for (const NameMap& map : maps_) bpf_map_delete_elem(map.fd, &order_.front());
    order_.pop_front();
  }
  for (const NameMap& map : maps_) {
    if (map.part >= names.size() || map.value_size == 0) continue;
    std::vector<char> value(map.value_size);
    std::string_view name = names[map.part];
    std::memcpy(value.data(), name.data(), std::min<size_t>(name.size(), map.value_size - 1));
    bpf_map_update_elem(map.fd, &cgroup, value.data(), BPF_ANY);
  }
}

}  // namespace dscope
