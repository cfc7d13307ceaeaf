// Lets aggregations and associative arrays of similar size share a map. A number in the key (in array maps: the index)
// distinguishes the members of a map.
#include "frontend/plan/plan_sharing.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "contract/buffers/aggregation_memory.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t max_maps = 40;  // of the kernel's 64; programs also use buffers, constants and other maps
constexpr uint64_t max_shared_bytes = 64 << 20;
constexpr uint32_t number_bytes = 8;

// Returns the size class: members whose sizes have the same number of digits in base `factor` share a map.
uint32_t size_class(uint32_t bytes, uint64_t factor) {
  uint32_t digits = 0;
  for (uint64_t limit = 16; limit < bytes; limit *= factor) ++digits;
  return digits;
}

class Sharing {
 public:
  Sharing(CompiledPlan& out, uint32_t cpu_count) : plan_(out.plan), layout_(out.layout), cpus_(cpu_count) {}

  void run() {
    if (plan_.maps.size() <= max_maps) return;
    drop_short_maps();
    for (uint64_t factor : {2, 8, 64, 1 << 30}) {
      group(factor);
      if (groups_.size() <= max_maps) break;
    }
    std::erase_if(plan_.maps, [&](const MapPlan& map) { return own_maps_.contains(map.name); });
    uint32_t index = 0;
    for (auto& [key, group] : groups_) add_shared_map(group, fmt::format("ds_shared_{}", index++));
  }

 private:
  enum class Kind : uint8_t { SingleAggregation, KeyedAggregation, Array };
  struct Group {
    std::vector<AggregationPlan*> aggregations;
    std::vector<VariableLocation*> arrays;
    uint32_t key_size = 0, value_size = 0;  // of the largest member
    uint64_t entries = 0;                   // of all members
    uint64_t max_entries = 0;               // of the largest member
  };

  void drop_short_maps() {
    for (AggregationPlan& aggregation : plan_.aggregations) {
      std::erase_if(plan_.maps, [&](const MapPlan& map) { return map.name == aggregation.short_map; });
      aggregation.short_map.clear();
      aggregation.short_key_size = 0;  // otherwise programs would write only the beginning of keys
    }
  }

  const MapPlan& own_map(const std::string& name) {
    auto found =
        std::find_if(plan_.maps.begin(), plan_.maps.end(), [&](const MapPlan& map) { return map.name == name; });
    DS_CHECK(found != plan_.maps.end());
    return own_maps_[name] = *found;
  }

  Group& member(Kind kind, uint32_t key_size, uint32_t value_size, uint64_t entries, uint64_t factor) {
    Group& group = groups_[{kind, size_class(key_size, factor), size_class(value_size, factor)}];
    group.key_size = std::max(group.key_size, key_size);
    group.value_size = std::max(group.value_size, value_size);
    group.entries += entries;
    group.max_entries = std::max(group.max_entries, entries);
    return group;
  }

  void group(uint64_t factor) {
    groups_.clear();
    for (AggregationPlan& aggregation : plan_.aggregations) {
      if (aggregation.map.empty()) continue;
      bool is_keyed = aggregation.key_size != 0;
      if (!is_keyed && aggregation.is_cpu_in_key) continue;  // too large for an element of a per-CPU array
      const MapPlan& map = own_map(aggregation.map);
      uint64_t entries = is_keyed && !aggregation.is_cpu_in_key ? uint64_t{map.max_entries} * cpus_ : map.max_entries;
      member(is_keyed ? Kind::KeyedAggregation : Kind::SingleAggregation, aggregation.key_size, map.value_size, entries,
             factor)
          .aggregations.push_back(&aggregation);
    }
    for (VariableLocation& location : layout_.variables) {
      if (location.kind != VariableLocation::Kind::Map) continue;
      const MapPlan& map = own_map(location.map);
      member(Kind::Array, map.key_size, map.value_size, map.max_entries, factor).arrays.push_back(&location);
    }
  }

  void add_shared_map(const Group& group, const std::string& name) {
    bool is_single = !group.aggregations.empty() && group.key_size == 0;
    uint64_t entries = group.entries;
    MapPlan map{.name = name,
                .kind = is_single ? MapKind::PerCpuArray : MapKind::Hash,
                .key_size = group.key_size + number_bytes,
                .value_size = group.value_size};
    if (is_single) {
      map.key_size = sizeof(uint32_t);
    } else if (!group.aggregations.empty()) {
      map.key_size += number_bytes;  // the CPU
    } else {
      map.no_prealloc = true;
      // All arrays together get four times the room of the largest array.
      entries = std::min(entries, 4 * group.max_entries);
    }
    uint64_t max_fitting = std::max<uint64_t>(1024, max_shared_bytes / (map.key_size + map.value_size));
    map.max_entries = static_cast<uint32_t>(is_single ? group.aggregations.size() : std::min(entries, max_fitting));
    uint32_t number = 0;
    for (AggregationPlan* aggregation : group.aggregations) {
      aggregation->map = name;
      aggregation->map_value_size = map.value_size;
      aggregation->map_key_size = map.key_size;
      aggregation->is_cpu_in_key = !is_single;
      aggregation->shares_map = true;
      aggregation->number = number++;
    }
    for (VariableLocation* location : group.arrays) {
      location->map = name;
      location->key_size = map.key_size;
      location->map_value_size = map.value_size;
      location->number = number++;
    }
    plan_.maps.push_back(std::move(map));
  }

  ProgramPlan& plan_;
  Layout& layout_;
  uint32_t cpus_;
  std::map<std::tuple<Kind, uint32_t, uint32_t>, Group> groups_;
  std::map<std::string, MapPlan> own_maps_;
};

constexpr uint64_t max_allocated_bytes = 64 << 20;

}  // namespace

void share_maps(CompiledPlan& out, uint32_t cpu_count) { Sharing(out, cpu_count).run(); }

void allocate_elements(ProgramPlan& plan) {
  uint64_t left = max_allocated_bytes;
  for (MapPlan& map : plan.maps) {
    uint64_t bytes = hash_element_bytes(map) * map.max_entries;
    if (!map.no_prealloc || bytes > left) continue;
    left -= bytes;
    map.no_prealloc = false;
  }
}

}  // namespace dscope
