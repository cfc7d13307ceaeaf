// ElementRemover: takes elements out of the map of an aggregation while programs go on updating it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "support/result.h"

namespace dscope {

class ElementRemover {
 public:
  // `plan`: a keyed aggregation with the CPU in its keys. All arguments outlive the remover.
  ElementRemover(const AggregationPlan& plan, uint32_t cpu_count, const AggregationSource::KeyFilter& keeps,
                 const AggregationSource::ElementSink& removed)
      : plan_(plan), cpu_count_(cpu_count), keeps_(keeps), removed_(removed) {}

  // Whether an element stays in the map. If not, the next call of flush() removes it. Arguments as in
  // ElementJoiner::add(); elements of other aggregations stay.
  bool stays(std::span<const std::byte> key, size_t own_key_size);
  // Removes the elements from the map. An element is removed by a thread on its CPU, so that no program can be in the
  // middle of an update. Reports errors of the kernel without its text.
  Result<> flush(int map_fd);

 private:
  bool belongs_here(std::span<const std::byte> key) const;

  const AggregationPlan& plan_;
  uint32_t cpu_count_;
  const AggregationSource::KeyFilter& keeps_;
  const AggregationSource::ElementSink& removed_;
  std::vector<std::byte> whole_key_;  // reused
  std::vector<std::byte> keys_;       // of the map, to remove
  size_t key_size_ = 0, own_key_size_ = 0;
};

}  // namespace dscope
