// AggregationTable: the consumer's view of one aggregation: the latest snapshot of the kernel's elements, merged over
// CPUs and over keys that print equal, less what clear() and trunc() took away.
//
// clear() must lose and double-count nothing although programs keep adding, so the kernel's additive values are never
// reset: what they were at the snapshot is kept as a baseline and subtracted from then on. min and max have no inverse:
// see ExtremeElements.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/aggregations/aggregation_value.h"
#include "runtime/aggregations/extreme_elements.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// One line of output.
struct AggregationEntry {
  std::string identity;                       // see key_identity
  const std::byte* key = nullptr;             // of one of the kernel's elements
  std::vector<int64_t> words;                 // data_words, merged
  std::vector<std::vector<int64_t>> per_cpu;  // by CPU; only with option aggpercpu
  bool is_live = false;                       // some CPU has updated it since the last clear()
  std::vector<uint32_t> elements;             // of the snapshot
};

class AggregationTable {
 public:
  // The references outlive the table.
  AggregationTable(const ProgramPlan& plan, uint32_t id, const ValuePrinter& values, AggregationSource& source)
      : plan_(&plan.aggregations[id]), id_(id), values_(&values), source_(&source) {
    if (plan_->has_generation) extremes_.emplace(*plan_, source.cpu_count());
  }

  Result<> refresh();
  const std::vector<AggregationEntry>& entries() const { return entries_; }
  // Values become 0, keys stay.
  void clear();
  // Takes entries away, here and in the kernel; nothing: all. Positive: keeps the n largest, negative: the n smallest.
  void truncate(std::optional<int64_t> keep);

  const AggregationPlan& plan() const { return *plan_; }

  uint64_t normal = 1;
  bool is_printed = false;  // by an explicit printa()

 private:
  struct Baseline {
    std::vector<std::byte> values;
    bool is_hidden = false;  // truncated, and could not be removed from the kernel
  };

  bool is_hidden(const AggregationElement& element) const;
  void add_element(uint32_t index, std::unordered_map<std::string, size_t>& by_identity);
  uint64_t state_of(const AggregationElement& element, uint32_t cpu) const;
  bool load_cpu_words(const AggregationElement& element, uint32_t cpu, const Baseline* baseline,
                      std::vector<int64_t>& words) const;
  const Baseline* baseline_of(const AggregationElement& element) const;
  void merge(AggregationEntry& entry, std::span<const int64_t> words) const;
  void forget(AggregationEntry& entry);
  void keep_late(const AggregationElement& element, std::vector<std::byte> last);
  void add_late();
  template <typename Change>
  void change_words(std::vector<std::byte>& values, const std::vector<std::byte>& by, const Change& change) const;
  int64_t start_value() const;
  void set_to_start(AggregationEntry& entry) const;

  const AggregationPlan* plan_;
  uint32_t id_;
  const ValuePrinter* values_;
  AggregationSource* source_;
  std::vector<AggregationElement> snapshot_;
  std::vector<AggregationEntry> entries_;
  std::unordered_map<std::string, Baseline> baselines_;  // by key bytes
  // What arrived at elements between the snapshot and their removal, by key bytes: it counts for those to come.
  std::unordered_map<std::string, std::vector<std::byte>> late_;
  std::optional<ExtremeElements> extremes_;  // of min and max, which need neither of the two
};

}  // namespace dscope
