// AggregationSource: gives the consumer snapshots of aggregations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/aggregations/cpu_values.h"
#include "support/result.h"

namespace dscope {

// One element of an aggregation, not merged: the values have AggregationPlan::value_size bytes.
struct AggregationElement {
  std::vector<std::byte> key;
  CpuValues values;

  // The key as a string, for use in hash tables.
  std::string key_bytes() const { return {reinterpret_cast<const char*>(key.data()), key.size()}; }
};

// The aggregations of a running program. The session reads them from BPF maps; tests fake them.
class AggregationSource {
 public:
  virtual ~AggregationSource() = default;
  virtual uint32_t cpu_count() const = 0;
  // All current elements of aggregation `id`.
  virtual Result<std::vector<AggregationElement>> read(uint32_t id) = 0;
  // Removes an element from the kernel's table and returns its last values, which may be newer than those of read().
  // Empty if the element was absent, or if the kernel cannot return it.
  virtual Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) = 0;
  // Adds 1 to the generation counter (only aggregations with has_generation) and returns the new value.
  virtual uint64_t next_generation(uint32_t id) = 0;
  // The generation counter; 0 without has_generation.
  virtual uint64_t generation(uint32_t id) const = 0;
};

}  // namespace dscope
