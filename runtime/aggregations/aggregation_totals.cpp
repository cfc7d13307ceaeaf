#include "runtime/aggregations/aggregation_totals.h"

#include <utility>

namespace dscope {

namespace {

void merge_or_copy(const AggregationPlan& plan, std::vector<int64_t>& sum, const std::vector<int64_t>& words) {
  if (sum.empty()) sum = words;
  else merge_words(plan, sum, words);
}

}  // namespace

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
    else if (!has_room()) merge_or_copy(*plan_, overflow_.before, entry.words);
  }
}

std::vector<AggregationTotals::Change> AggregationTotals::changes(const std::vector<AggregationEntry>& entries,
                                                                  uint64_t normal,
                                                                  const std::vector<int64_t>& removed) {
  std::vector<Change> changes;
  bool has_new_normal = std::exchange(normal_, normal) != normal;
  ++calls_;
  std::vector<int64_t> overflow = overflow_.before;
  if (!removed.empty()) merge_or_copy(*plan_, overflow, removed);
  size_t overflowed = 0;
  for (const AggregationEntry& entry : entries) {
    if (!has_room() && !elements_.contains(entry.identity)) {
      ++overflowed;
      if (entry.is_live) merge_or_copy(*plan_, overflow, entry.words);
      continue;
    }
    auto [found, is_new] = elements_.try_emplace(entry.identity);
    Element& element = found->second;
    if (is_new) element.number = take_number();
    element.seen_in = calls_;
    std::vector<int64_t> words = total(element, entry);
    if (words == element.last && !has_new_normal) continue;
    element.last = words;
    element.changed_in = calls_;
    changes.push_back({.element = element.number,
                       .is_new = is_new,
                       .is_overflow = false,
                       .key = entry.key,
                       .words = std::move(words)});
  }
  if (entries.size() - overflowed != elements_.size()) add_absent(changes);
  if (!overflow.empty() && (overflow != overflow_.last || has_new_normal)) add_overflow(changes, std::move(overflow));
  return changes;
}

uint32_t AggregationTotals::take_number() {
  if (free_numbers_.empty()) return next_number_++;
  uint32_t number = free_numbers_.back();
  free_numbers_.pop_back();
  return number;
}

std::vector<std::string> AggregationTotals::expire(uint64_t before, std::vector<Change>& changes) {
  std::vector<std::string> identities;
  std::erase_if(elements_, [&](const auto& each) {
    const auto& [identity, element] = each;
    if (element.changed_in >= before) return false;
    identities.push_back(identity);
    free_numbers_.push_back(element.number);
    changes.push_back({.element = element.number, .is_new = false, .is_overflow = false, .key = nullptr, .words = {}});
    return true;
  });
  return identities;
}

void AggregationTotals::add_overflow(std::vector<Change>& changes, std::vector<int64_t> words) {
  bool is_new = !std::exchange(has_overflow_, true);
  if (is_new) overflow_.number = take_number();
  overflow_.last = words;
  changes.push_back(
      {.element = overflow_.number, .is_new = is_new, .is_overflow = true, .key = nullptr, .words = std::move(words)});
}

// Elements without an entry keep what they had before the last reset.
void AggregationTotals::add_absent(std::vector<Change>& changes) {
  for (auto& [identity, element] : elements_) {
    if (element.seen_in == calls_ || element.last == element.before) continue;
    element.last = element.before;
    changes.push_back(
        {.element = element.number, .is_new = false, .is_overflow = false, .key = nullptr, .words = element.before});
  }
}

}  // namespace dscope
