// AggregationSource: gives the consumer snapshots of aggregations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// How full the kernel's table of an aggregation was at the last read.
struct AggregationFill {
  uint64_t elements = 0, capacity = 0;  // capacity 0: not known
};

// The aggregations of a running program. The session reads them from BPF maps; tests fake them.
class AggregationSource {
 public:
  virtual ~AggregationSource() = default;
  virtual uint32_t cpu_count() const = 0;
  // All current elements of aggregation `id`.
  virtual Result<std::vector<AggregationElement>> read(uint32_t id) = 0;
  using KeyFilter = std::function<bool(std::span<const std::byte> key)>;
  using ElementSink = std::function<void(const AggregationElement& element)>;
  // As read(), but removes the elements that `keeps` rejects from the kernel's table, and passes each to `removed` with
  // its last values, perhaps CPU by CPU. No update gets lost: it is in the values or comes as a new element.
  virtual Result<std::vector<AggregationElement>> read_kept(uint32_t id, const KeyFilter& keeps,
                                                            const ElementSink& removed);
  // The sum of all updates that found no room in the kernel's table; no CPU has a value if there were none. Those of
  // min() and max() are new since the last generation but one.
  virtual CpuValues overflow(uint32_t) const { return {}; }
  virtual AggregationFill fill(uint32_t) const { return {}; }
  // Removes an element from the kernel's table and returns its last values, which may be newer than those of read().
  // Empty if the element was absent, or if the kernel cannot return it.
  virtual Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) = 0;
  // Adds 1 to the generation counter (only aggregations with has_generation) and returns the new value.
  virtual uint64_t next_generation(uint32_t id) = 0;
  // The generation counter; 0 without has_generation.
  virtual uint64_t generation(uint32_t id) const = 0;
};

}  // namespace dscope
