// AggregationTable: the consumer's view of one aggregation: the latest snapshot of the kernel's elements, merged over
// CPUs and over keys that print equal, minus everything that clear() and trunc() removed.
//
// clear() must neither lose nor double-count updates although programs keep adding. The kernel's additive values are
// therefore never reset: the table keeps their values at the snapshot as a baseline and subtracts it from then on.
// min() and max() have no inverse: see ExtremeElements.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/aggregations/aggregation_value.h"
#include "runtime/aggregations/extreme_elements.h"
#include "runtime/aggregations/key_index.h"
#include "runtime/format/value_printer.h"

namespace dscope {

// One line of output.
struct AggregationEntry {
  std::string identity;                       // see key_identity
  const std::byte* key = nullptr;             // key of one of the merged elements, in the snapshot
  std::vector<int64_t> words;                 // data_words of them, merged
  std::vector<std::vector<int64_t>> per_cpu;  // index: CPU; empty without option aggpercpu
  bool is_live = false;                       // a CPU has updated it since the last clear()
  std::vector<uint32_t> elements;             // indices into the snapshot
};

class AggregationTable {
 public:
  // The references outlive the table.
  AggregationTable(const ProgramPlan& plan, uint32_t id, const ValuePrinter& values, AggregationSource& source)
      : plan_(&plan.aggregations[id]), id_(id), values_(&values), source_(&source) {
    if (plan_->has_generation) extremes_.emplace(*plan_);
  }

  // Takes a new snapshot. On an error the old entries stay.
  Result<> refresh();
  const std::vector<AggregationEntry>& entries() const { return entries_; }
  // Sets all values to their start, keeps the keys.
  void clear();
  // Removes entries, here and in the kernel. Positive `keep`: keeps the `keep` largest values; negative: the -`keep`
  // smallest; without a value: removes all.
  void truncate(std::optional<int64_t> keep);

  // Bounds the table for runs that go on for months. Elements that print equal to one of the first `max_elements` are
  // kept. All others are removed from the kernel at each snapshot and summed up. Do not combine with clear() or
  // truncate().
  void limit(size_t max_elements) { limit_.emplace(max_elements); }
  bool is_limited() const { return limit_.has_value(); }
  // The sum of all elements that were removed, and of all updates that found no room; empty: there were none.
  std::vector<int64_t> overflow() const;
  // Removes an entry, whose place becomes free for another key. Only with limit().
  void forget(std::string_view identity);
  AggregationFill fill() const { return source_->fill(id_); }

  const AggregationPlan& plan() const { return *plan_; }

  uint64_t normal = 1;
  bool is_printed = false;  // by an explicit printa()

 private:
  struct Baseline {
    CpuValues values;
    bool is_hidden = false;  // truncated, but the kernel could not remove it
  };

  // Sums of elements that were removed from the kernel although their entry is kept.
  struct Folded {
    std::vector<std::byte> key;  // of one of them
    std::vector<int64_t> words;
  };
  struct Limit {
    explicit Limit(size_t max) : max_elements(max) {}

    size_t max_elements;
    std::unordered_map<std::string, Folded> kept;  // by identity; `words` may be empty
    // By key bytes: elements that stay in the kernel, because removing one that is updated all the time would cost time
    // at each snapshot. Their number is bounded: several keys may print equal.
    std::unordered_set<std::string> resident;
    std::vector<int64_t> overflow;  // of removed elements
    std::vector<int64_t> no_room;   // as of the last snapshot
  };

  bool keeps(std::span<const std::byte> key);
  bool admits(const std::string& identity);
  void absorb(const AggregationElement& element);
  void add_values(const CpuValues& values, std::vector<int64_t>& sum) const;
  void refresh_overflow();
  // Returns the entry of the identity. A new one has the start value and `key`.
  AggregationEntry& entry_of(std::string identity, const std::byte* key, KeyIndex& by_identity);
  void add_folded(KeyIndex& by_identity);
  Result<std::vector<AggregationElement>> read();
  bool is_hidden(const AggregationElement& element) const;
  void add_element(uint32_t index, KeyIndex& by_identity);
  uint64_t state_of(std::span<const std::byte> value) const;
  bool load_cpu_words(const AggregationElement& element, size_t index, const Baseline* baseline,
                      std::vector<int64_t>& words) const;
  const Baseline* baseline_of(const AggregationElement& element) const;
  void merge(AggregationEntry& entry, std::span<const int64_t> words) const;
  void remove_from_kernel(AggregationEntry& entry);
  void keep_late_updates(const AggregationElement& element, CpuValues last);
  void add_late_updates();
  template <typename Change>
  void change_words(CpuValues& values, const CpuValues& by, const Change& change) const;
  int64_t start_value() const;
  void set_to_start(AggregationEntry& entry) const;

  const AggregationPlan* plan_;
  uint32_t id_;
  const ValuePrinter* values_;
  AggregationSource* source_;
  std::vector<AggregationElement> snapshot_;
  std::vector<AggregationEntry> entries_;
  std::unordered_map<std::string, Baseline> baselines_;  // by key bytes
  // By key bytes: updates that reached an element between the snapshot and its removal. They are added to the next
  // element of that key.
  std::unordered_map<std::string, CpuValues> late_;
  std::optional<Limit> limit_;
  std::optional<ExtremeElements> extremes_;  // min() and max(), which use neither baselines nor late updates
};

}  // namespace dscope
