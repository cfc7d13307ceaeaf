// ExtremeElements: the extremes of one min() or max() aggregation since the last clear().
//
// Extremes have no inverse, so values from before a clear() cannot be subtracted as sums are. Instead each element has
// two slots per CPU: programs update the slot of the current generation. Every snapshot starts a new generation and
// merges the finished one into this object. clear() drops the merged extremes; updates since the snapshot are in the
// other slot and count afterwards.
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
  // `plan` describes an aggregation with has_generation and must outlive this object.
  explicit ExtremeElements(const AggregationPlan& plan) : plan_(&plan) {}

  // `elements` were read after `generation` had begun. Replaces their values by the extremes of all earlier generations
  // since the last clear(): per CPU the extreme, and in the next word 1 if there is one. Drops elements that only the
  // current generation has updated, and adds those that were removed from the kernel since.
  void merge_snapshot(std::vector<AggregationElement>& elements, uint64_t generation);
  // Drops the extremes of all finished generations; keeps the elements.
  void clear();
  // Drops one element with its extremes. `last` holds the slots of all CPUs at its removal from the kernel, or nothing;
  // updates of the current generation in them are kept for the next element of that key.
  void remove(const std::string& key, const CpuValues& last);

 private:
  bool add(CpuValues& merged, const CpuValues& values, uint64_t first, uint64_t last) const;
  void add_slot(std::byte* merged, const std::byte* slot) const;

  const AggregationPlan* plan_;
  std::unordered_map<std::string, CpuValues> merged_;  // by key bytes; the first slot of each CPU is in use
  uint64_t generation_ = 0;                            // the current one
  uint64_t first_ = 0;                                 // earlier generations have been cleared
};

}  // namespace dscope
