// The shapes of the maps are those of map_aggregation_source.cpp: keyed aggregations are hashes, mostly with the CPU in
// the key; unkeyed ones are arrays.
#include "runtime/replay/native_aggregations.h"

#include <cstring>
#include <vector>

#include "runtime/session/element_joiner.h"
#include "support/check.h"

namespace dscope {
namespace {

constexpr size_t cpu_bytes = 8, id_bytes = 8;

class NativeAggregationSource : public AggregationSource {
 public:
  NativeAggregationSource(const ProgramPlan& plan, NativeMachine& machine) : plan_(plan), machine_(machine) {}

  Result<> bind() {
    NativeMap* globals = machine_.find_map("ds_globals");
    for (const AggregationPlan& aggregation : plan_.aggregations) {
      Maps maps;
      if (!aggregation.map.empty()) {
        maps.elements = machine_.find_map(aggregation.map);
        if (!aggregation.short_map.empty()) maps.short_elements = machine_.find_map(aggregation.short_map);
        bool is_missing = maps.elements == nullptr || maps.elements->plan().value_size != aggregation.map_value_size ||
                          (!aggregation.short_map.empty() && maps.short_elements == nullptr);
        if (is_missing) return fail(Error::make("aggregation @{} does not fit its map", aggregation.name));
      }
      if (aggregation.has_generation) {
        if (globals == nullptr || aggregation.generation_offset + 8 > globals->elements().size())
          return fail(Error::make("the generation of aggregation @{} lies outside of the globals", aggregation.name));
        maps.generation = reinterpret_cast<uint64_t*>(globals->elements().data() + aggregation.generation_offset);
      }
      maps_.push_back(maps);
    }
    return {};
  }

  uint32_t cpu_count() const override { return machine_.cpu_count(); }

  Result<std::vector<AggregationElement>> read(uint32_t id) override {
    DS_CHECK(id < maps_.size());
    const AggregationPlan& aggregation = plan_.aggregations[id];
    const Maps& maps = maps_[id];
    if (maps.elements == nullptr) return std::vector<AggregationElement>{};
    if (aggregation.key_size == 0) return read_single(id);
    ElementJoiner joiner{aggregation, cpu_count()};
    maps.elements->for_each([&](auto key, auto values) { joiner.add(key, aggregation.key_size, values); });
    if (maps.short_elements != nullptr)
      maps.short_elements->for_each(
          [&](auto key, auto values) { joiner.add(key, aggregation.short_key_size, values); });
    return joiner.take();
  }

  Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) override {
    DS_CHECK(id < maps_.size() && key.size() == plan_.aggregations[id].key_size);
    const AggregationPlan& aggregation = plan_.aggregations[id];
    if (maps_[id].elements == nullptr) return CpuValues{aggregation.value_size};
    if (key.empty()) return clear_single(id);
    if (!aggregation.is_cpu_in_key) return remove_element(*maps_[id].elements, key, aggregation);
    return remove_on_all_cpus(id, key);
  }

  uint64_t next_generation(uint32_t id) override {
    DS_CHECK(id < maps_.size() && maps_[id].generation != nullptr);
    return ++*maps_[id].generation;
  }
  uint64_t generation(uint32_t id) const override {
    DS_CHECK(id < maps_.size());
    return maps_[id].generation != nullptr ? *maps_[id].generation : 0;
  }

 private:
  struct Maps {
    NativeMap* elements = nullptr;  // null: no code updates the aggregation
    NativeMap* short_elements = nullptr;
    uint64_t* generation = nullptr;
  };

  // The values of an unkeyed aggregation on all CPUs: one element per CPU, or one with the values of all CPUs.
  std::span<std::byte> single_values(uint32_t id) const {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    NativeMap& map = *maps_[id].elements;
    if (aggregation.is_cpu_in_key) return map.elements().first(map.element_bytes() * cpu_count());
    return map.elements().subspan(map.element_bytes() * aggregation.number, map.element_bytes());
  }

  CpuValues values_in(uint32_t id, std::span<const std::byte> bytes) const {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    return values_of_cpus(bytes, aggregation.value_size, aggregation.map_value_size);
  }

  Result<std::vector<AggregationElement>> read_single(uint32_t id) const {
    return std::vector<AggregationElement>{{.key = {}, .values = values_in(id, single_values(id))}};
  }

  CpuValues clear_single(uint32_t id) {
    std::span<std::byte> values = single_values(id);
    std::memset(values.data(), 0, values.size());
    return CpuValues{plan_.aggregations[id].value_size};
  }

  static CpuValues remove_element(NativeMap& map, std::span<const std::byte> key, const AggregationPlan& aggregation) {
    std::byte* values = map.find(key.data());
    CpuValues removed{aggregation.value_size};
    if (values == nullptr) return removed;
    removed = values_of_cpus({values, map.element_bytes()}, aggregation.value_size, aggregation.map_value_size);
    map.remove(key.data());
    return removed;
  }

  CpuValues remove_on_all_cpus(uint32_t id, std::span<const std::byte> key) {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    const Maps& maps = maps_[id];
    bool is_short = maps.short_elements != nullptr && key[aggregation.short_key_size - 1] == std::byte{};
    if (is_short) key = key.first(aggregation.short_key_size);
    NativeMap& map = is_short ? *maps.short_elements : *maps.elements;
    std::vector<std::byte> map_key(key.begin(), key.end());
    map_key.resize(is_short ? key.size() + cpu_bytes : aggregation.map_key_size);
    uint64_t number = aggregation.number;
    if (aggregation.shares_map) std::memcpy(map_key.data() + map_key.size() - id_bytes, &number, sizeof number);
    CpuValues values{aggregation.value_size};
    for (uint64_t cpu = 0; cpu < cpu_count(); ++cpu) {
      std::memcpy(map_key.data() + key.size(), &cpu, sizeof cpu);
      std::byte* own = map.find(map_key.data());
      if (own == nullptr) continue;
      values.append(static_cast<uint32_t>(cpu), own);
      map.remove(map_key.data());
    }
    return values;
  }

  const ProgramPlan& plan_;
  NativeMachine& machine_;
  std::vector<Maps> maps_;  // by aggregation
};

}  // namespace

Result<std::unique_ptr<AggregationSource>> make_native_aggregation_source(const ProgramPlan& plan,
                                                                          NativeMachine& machine) {
  auto source = std::make_unique<NativeAggregationSource>(plan, machine);
  DS_TRY_VOID(source->bind());
  return source;
}

}  // namespace dscope
