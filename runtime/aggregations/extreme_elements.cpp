#include "runtime/aggregations/extreme_elements.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "runtime/format/value.h"

namespace dscope {

void ExtremeElements::add_slot(std::byte* merged, const std::byte* slot) const {
  auto value = static_cast<int64_t>(load_word(slot)), before = static_cast<int64_t>(load_word(merged));
  bool is_better = row(plan_->function).merge == AggregationMerge::Min ? value < before : value > before;
  const uint64_t is_updated = 1;
  if (is_better || load_word(merged + 8) == 0) std::memcpy(merged, &value, sizeof value);
  std::memcpy(merged + 8, &is_updated, sizeof is_updated);
}

// Merges the slots that generations `first` to `last` wrote, on all CPUs, into `merged`. True if there was one.
bool ExtremeElements::add(CpuValues& merged, const CpuValues& values, uint64_t first, uint64_t last) const {
  const size_t slot_size = plan_->slot_size();
  bool has_added = false;
  for (size_t i = 0; i < values.count(); ++i) {
    std::span<const std::byte> value = values.value(i);
    for (size_t at = 0; at + slot_size <= value.size(); at += slot_size) {
      uint64_t state = load_word(value.data() + at + 8);  // generation + 1, or 0
      if (state <= first || state > last + 1) continue;
      add_slot(merged.at(values.cpu(i)), value.data() + at);
      has_added = true;
    }
  }
  return has_added;
}

void ExtremeElements::merge_snapshot(std::vector<AggregationElement>& elements, uint64_t generation) {
  generation_ = generation;
  std::unordered_set<std::string> seen;
  std::vector<AggregationElement> known;
  for (AggregationElement& element : elements) {
    std::string key = element.key_bytes();
    auto found = merged_.find(key);
    CpuValues fresh{plan_->value_size};
    CpuValues& merged = found == merged_.end() ? fresh : found->second;
    bool has_added = add(merged, element.values, first_, generation - 1);
    if (found == merged_.end() && !has_added) continue;
    if (found == merged_.end()) found = merged_.emplace(key, std::move(fresh)).first;
    known.push_back({.key = std::move(element.key), .values = found->second});
    seen.insert(std::move(key));
  }
  // Adds elements removed from the kernel meanwhile, with the values read before their removal.
  for (const auto& [key, values] : merged_) {
    if (seen.contains(key)) continue;
    auto bytes = std::as_bytes(std::span{key});
    known.push_back({.key = {bytes.begin(), bytes.end()}, .values = values});
  }
  elements = std::move(known);
}

void ExtremeElements::clear() {
  first_ = generation_;
  for (auto& [key, values] : merged_) values = CpuValues{plan_->value_size};
}

void ExtremeElements::remove(const std::string& key, const CpuValues& last) {
  merged_.erase(key);
  if (plan_->key_size == 0) first_ = generation_;  // its only element stays in the kernel
  CpuValues late{plan_->value_size};
  if (add(late, last, generation_, generation_)) merged_.emplace(key, std::move(late));
}

}  // namespace dscope
