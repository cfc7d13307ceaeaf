#include "frontend/plan/aggregation_budget.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "contract/buffers/aggregation_memory.h"

namespace dscope {

namespace {

// The maps of aggregations that have default sizes. The elements of other kinds of maps are few.
std::vector<MapPlan*> default_maps(ProgramPlan& plan) {
  std::set<std::string_view> names;
  for (const AggregationPlan& aggregation : plan.aggregations)
    if (aggregation.key_size != 0 && aggregation.is_cpu_in_key)
      names.insert({std::string_view{aggregation.map}, std::string_view{aggregation.short_map}});
  std::vector<MapPlan*> maps;
  for (MapPlan& map : plan.maps)
    if (names.contains(map.name) && map.kind == MapKind::Hash && !map.size_option) maps.push_back(&map);
  return maps;
}

}  // namespace

void budget_aggregations(ProgramPlan& plan, const MachineFacts& facts) {
  constexpr uint32_t min_requested_elements = 1024;
  std::vector<MapPlan*> maps = default_maps(plan);
  if (maps.empty()) return;
  uint64_t budget = plan.aggregation_budget = aggregation_budget(plan.options, facts);
  uint64_t bytes = 0;
  for (const MapPlan* map : maps) bytes += hash_map_bytes(*map);
  uint32_t min_elements = plan.options.is_set(OptionId::Aggmemory) ? min_requested_elements : min_default_elements;
  for (MapPlan* map : maps) {
    if (budget != 0 && bytes > budget) {
      double share =
          static_cast<double>(budget) * static_cast<double>(hash_map_bytes(*map)) / static_cast<double>(bytes);
      uint64_t elements = static_cast<uint64_t>(share) / (hash_element_bytes(*map) + max_bucket_bytes);
      map->max_entries = static_cast<uint32_t>(
          std::clamp<uint64_t>(elements, std::min(min_elements, map->max_entries), map->max_entries));
    }
    // The loader may lower a map that is larger than it would be on a small machine, and reports that.
    if (map->max_entries <= min_default_elements) continue;
    map->size_option = OptionId::Aggsize;
    map->requested_entries = map->max_entries;
  }
}

}  // namespace dscope
