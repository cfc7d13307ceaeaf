// ElementJoiner: makes the elements of an aggregation from the keys and values in its maps. Joins those that differ
// only in the CPU at the end of their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/aggregations/key_index.h"

namespace dscope {

class ElementJoiner {
 public:
  // `plan` is a keyed aggregation and must outlive the joiner. `cpu_count`: possible CPUs.
  ElementJoiner(const AggregationPlan& plan, uint32_t cpu_count) : plan_(&plan), cpu_count_(cpu_count) {}

  // Adds an element of a map. The first `own_key_size` bytes of `key` are the key of the script or, in a map of short
  // keys, its beginning, which zeroes follow. `value` holds the values of all CPUs, or of the CPU in the key. Ignores
  // the elements of other aggregations in a shared map.
  void add(std::span<const std::byte> key, size_t own_key_size, std::span<const std::byte> value);

  // The elements added so far, their values in order of the CPUs. Call it once, last.
  std::vector<AggregationElement> take();

 private:
  AggregationElement& element_of(std::span<const std::byte> own_key);

  const AggregationPlan* plan_;
  uint32_t cpu_count_;
  std::vector<AggregationElement> elements_;
  KeyIndex by_key_;
  std::vector<std::byte> whole_key_;  // reused for padded keys
};

// The values of all CPUs from 0 on: `stride` bytes each in `bytes`, of which the first `value_size` count. Omits CPUs
// whose values are zero. `bytes` may be empty: no CPU has a value.
CpuValues values_of_cpus(std::span<const std::byte> bytes, size_t value_size, size_t stride);

}  // namespace dscope
