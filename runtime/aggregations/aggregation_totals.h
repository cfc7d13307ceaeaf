// AggregationTotals: the values of an aggregation since the start of the run, over every clear() and trunc() after it
// was printed. Values that a script clears unprinted do not count, and trunc(@a, n) removes elements for good.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/aggregations/aggregation_table.h"

namespace dscope {

class AggregationTotals {
 public:
  // An element whose total has changed since the last call of changes().
  struct Change {
    uint32_t element;            // elements are numbered from 0, in the order in which they appear
    bool is_new;                 // no change before has named the element
    bool is_overflow;            // the sum of all elements beyond the limit
    const std::byte* key;        // of a new element; null if it has no keys. Valid as long as the entries
    std::vector<int64_t> words;  // empty: trunc(@a, n) has removed the element
  };

  // `plan` outlives this object. `max_elements`: the first elements that appear are kept, the others summed up in one;
  // 0: there is no limit.
  explicit AggregationTotals(const AggregationPlan& plan, size_t max_elements = 0)
      : plan_(&plan), max_elements_(max_elements) {}

  void on_printed() { is_printed_ = true; }
  // The elements of `entries` that no call of changes() has seen are not counted: call it first.
  void before_reset(const std::vector<AggregationEntry>& entries);
  // `normal`: the divisor of the values; if it has changed, all elements have. `removed`: the sum of elements that are
  // no longer among `entries`, as AggregationTable::overflow().
  std::vector<Change> changes(const std::vector<AggregationEntry>& entries, uint64_t normal,
                              const std::vector<int64_t>& removed = {});
  // Removes the elements that did not change in call number `before` of changes() and later (the first has number 1):
  // appends them to `changes`, and
  // returns their identities. Their numbers are used again, for elements that come later.
  std::vector<std::string> expire(uint64_t before, std::vector<Change>& changes);

 private:
  struct Element {
    uint32_t number = 0;
    uint64_t seen_in = 0;         // the last call of changes() with an entry of this element
    uint64_t changed_in = 0;      // the last call of changes() that reported it
    std::vector<int64_t> before;  // the sum of the values that were reset; empty: none
    std::vector<int64_t> last;    // as of the last change; empty: removed
  };

  bool has_room() const { return max_elements_ == 0 || elements_.size() < max_elements_; }
  void add_absent(std::vector<Change>& changes);
  void add_overflow(std::vector<Change>& changes, std::vector<int64_t> words);
  uint32_t take_number();
  std::vector<int64_t> total(const Element& element, const AggregationEntry& entry) const;

  const AggregationPlan* plan_;
  size_t max_elements_;
  Element overflow_;  // what the elements beyond the limit had before they were reset, and had last
  bool has_overflow_ = false;
  std::unordered_map<std::string, Element> elements_;  // by identity
  std::vector<uint32_t> free_numbers_;                 // of elements that have expired
  uint32_t next_number_ = 0;
  bool is_printed_ = false;  // since the last reset
  uint64_t calls_ = 0;
  uint64_t normal_ = 1;
};

}  // namespace dscope
