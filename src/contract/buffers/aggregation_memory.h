// The memory of keyed aggregations if the script does not set aggsize: how many elements their maps get, and how much
// memory all of them may take (docs/decisions/0034).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "catalog/option_values.h"
#include "contract/machine.h"
#include "contract/program_plan.h"

namespace dscope {

// The map of an aggregation has at least so many elements. Creating them takes 2.5 ms.
inline constexpr uint32_t min_default_elements = 1 << 17;
// With more than 8 CPUs, the map grows: each CPU has elements of its own for so many keys.
inline constexpr uint32_t default_elements_per_cpu = 1 << 14;

// Number of elements of an aggregation's map, before the budget limits them.
inline int64_t default_aggregation_elements(const MachineFacts& facts) {
  return std::max<int64_t>(min_default_elements, int64_t{default_elements_per_cpu} * facts.online_cpu_count);
}

// Bytes that all aggregations may take together: option aggmemory, or a share of the machine's memory. 0: unlimited,
// because the size of the memory is unknown.
inline uint64_t aggregation_budget(const OptionValues& options, const MachineFacts& facts) {
  constexpr uint64_t default_share = 64;
  if (options.is_set(OptionId::Aggmemory)) return static_cast<uint64_t>(options.number(OptionId::Aggmemory));
  return facts.page_count * facts.page_size / default_share;
}

// Bytes of kernel memory that one element of a hash map uses, with its header.
inline uint64_t hash_element_bytes(const MapPlan& map) {
  constexpr uint64_t header = 48, word = 8;
  auto rounded = [](uint64_t bytes) { return (bytes + word - 1) / word * word; };
  return header + rounded(map.key_size) + rounded(map.value_size);
}

// The number of buckets is the number of elements, rounded up to a power of two.
inline constexpr uint64_t bucket_bytes = 16, max_bucket_bytes = 2 * bucket_bytes;

// Bytes of kernel memory that a hash map allocated in advance uses.
inline uint64_t hash_map_bytes(const MapPlan& map) {
  return hash_element_bytes(map) * map.max_entries + std::bit_ceil(uint64_t{map.max_entries}) * bucket_bytes;
}

}  // namespace dscope
