#include "runtime/aggregations/aggregation_totals.h"

#include <utility>

namespace dscope {

std::vector<int64_t> AggregationTotals::total(const Element& element, const AggregationEntry& entry) const {
  if (element.before.empty()) return entry.words;
  std::vector<int64_t> words = element.before;
  if (entry.is_live) merge_words(*plan_, words, entry.words);
  return words;
}

void AggregationTotals::before_reset(const std::vector<AggregationEntry>& entries) {
  if (!std::exchange(is_printed_, false)) return;
  for (const AggregationEntry& entry : entries) {
    if (!entry.is_live) continue;
    if (auto found = elements_.find(entry.identity); found != elements_.end())
      found->second.before = total(found->second, entry);
  }
}

std::vector<AggregationTotals::Change> AggregationTotals::changes(const std::vector<AggregationEntry>& entries,
                                                                  uint64_t normal) {
  std::vector<Change> changes;
  bool has_new_normal = std::exchange(normal_, normal) != normal;
  ++calls_;
  for (const AggregationEntry& entry : entries) {
    auto [found, is_new] = elements_.try_emplace(entry.identity);
    Element& element = found->second;
    if (is_new) element.number = static_cast<uint32_t>(elements_.size() - 1);
    element.seen_in = calls_;
    std::vector<int64_t> words = total(element, entry);
    if (words == element.last && !has_new_normal) continue;
    element.last = words;
    changes.push_back({.element = element.number, .is_new = is_new, .key = entry.key, .words = std::move(words)});
  }
  if (entries.size() != elements_.size()) add_absent(changes);
  return changes;
}

// Elements without an entry keep what they had before the last reset.
void AggregationTotals::add_absent(std::vector<Change>& changes) {
  for (auto& [identity, element] : elements_) {
    if (element.seen_in == calls_ || element.last == element.before) continue;
    element.last = element.before;
    changes.push_back({.element = element.number, .is_new = false, .key = nullptr, .words = element.before});
  }
}

}  // namespace dscope
