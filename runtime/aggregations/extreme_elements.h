// ExtremeElements: what min() and max() have seen since the last clear().
//
// Extremes have no inverse, so what was before a clear() cannot be subtracted as sums are. An element has two slots for
// each CPU instead: programs update the one of the present generation, and every look at the aggregation begins a new
// generation and takes over here what the finished one has left. clear() forgets that; what has arrived since the look
// is in the other slot, and counts afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"

namespace dscope {

class ExtremeElements {
 public:
  // The plan, of an aggregation with has_generation, outlives it.
  ExtremeElements(const AggregationPlan& plan, uint32_t cpu_count) : plan_(&plan), cpu_count_(cpu_count) {}

  // `elements` have been read after `generation` had begun. They get what all generations before it have left since the
  // last clear(): of each CPU the extreme, and in the word behind it whether there is one. Elements that only the
  // present generation has updated are left out.
  void take_over(std::vector<AggregationElement>& elements, uint64_t generation);
  // The extremes of all finished generations are no more; the elements stay.
  void clear();
  // The same of one element, with the element. `last` has the slots of all CPUs when it was removed from the kernel,
  // or nothing: what the present generation has left there counts for those to come.
  void forget(const std::string& key, std::span<const std::byte> last);

 private:
  using Values = std::vector<std::byte>;  // as AggregationElement::values, with the first slot of each CPU in use

  bool add(Values& kept, std::span<const std::byte> values, uint64_t first, uint64_t last) const;
  void add_slot(std::byte* kept, const std::byte* slot) const;

  const AggregationPlan* plan_;
  uint32_t cpu_count_;
  std::unordered_map<std::string, Values> kept_;  // by key bytes
  uint64_t generation_ = 0;                       // the present one
  uint64_t first_ = 0;                            // those before it have been cleared
};

}  // namespace dscope
