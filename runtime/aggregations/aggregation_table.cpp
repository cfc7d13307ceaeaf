#include "runtime/aggregations/aggregation_table.h"

#include <algorithm>
#include <cstring>

#include "runtime/aggregations/aggregation_key.h"
#include "runtime/format/value.h"
#include "support/check.h"

namespace dscope {

namespace {

uint64_t word_at(std::span<const std::byte> value, size_t index) {
  return index * 8 + 8 <= value.size() ? load_word(value.data() + index * 8) : 0;
}

// False if all bytes are zero.
bool has_updates(const CpuValues& values) {
  for (size_t i = 0; i < values.count(); ++i)
    if (std::ranges::any_of(values.value(i), [](std::byte byte) { return byte != std::byte{}; })) return true;
  return false;
}

}  // namespace

Result<std::vector<AggregationElement>> AggregationTable::read() {
  if (!limit_ || plan_->key_size == 0) return source_->read(id_);
  return source_->read_kept(
      id_, [this](std::span<const std::byte> key) { return keeps(key); },
      [this](const AggregationElement& element) { absorb(element); });
}

Result<> AggregationTable::refresh() {
  uint64_t generation = extremes_ ? source_->next_generation(id_) : 0;
  DS_TRY(snapshot_, read());
  if (extremes_) extremes_->merge_snapshot(snapshot_, generation);
  if (!late_.empty()) add_late_updates();
  entries_.clear();
  entries_.reserve(snapshot_.size());
  KeyIndex by_identity;
  by_identity.reserve(snapshot_.size());
  for (size_t i = 0; i < snapshot_.size(); ++i) add_element(static_cast<uint32_t>(i), by_identity);
  if (limit_) {
    add_folded(by_identity);
    refresh_overflow();
  }
  return {};
}

const AggregationTable::Baseline* AggregationTable::baseline_of(const AggregationElement& element) const {
  if (baselines_.empty()) return nullptr;
  auto found = baselines_.find(element.key_bytes());
  return found == baselines_.end() ? nullptr : &found->second;
}

// The state word of a CPU: 0 if the element was not updated on that CPU (min() and max(): since the last clear()).
uint64_t AggregationTable::state_of(std::span<const std::byte> value) const {
  return plan_->has_state_word ? word_at(value, plan_->data_words) : 1;
}

bool AggregationTable::is_hidden(const AggregationElement& element) const {
  // The only element of an unkeyed aggregation always exists in the kernel; it is hidden until its first update.
  if (plan_->has_state_word && !extremes_) {
    bool is_used = false;
    for (size_t i = 0; i < element.values.count(); ++i) is_used |= state_of(element.values.value(i)) != 0;
    if (!is_used) return true;
  }
  const Baseline* baseline = baseline_of(element);
  return baseline && baseline->is_hidden && baseline->values == element.values;
}

// Stores the words of one value since the last clear() into `words`. False if all are zero, so that they change no sum.
bool AggregationTable::load_cpu_words(const AggregationElement& element, size_t index, const Baseline* baseline,
                                      std::vector<int64_t>& words) const {
  words.resize(plan_->data_words);
  for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<int64_t>(word_at(element.values.value(index), i));
  if (extremes_) return true;
  const std::byte* known = baseline ? baseline->values.find(element.values.cpu(index)) : nullptr;
  if (known) {
    std::vector<int64_t> before(words.size());
    std::memcpy(before.data(), known, before.size() * sizeof before[0]);
    subtract_words(*plan_, words, before);
  }
  return std::any_of(words.begin(), words.end(), [](int64_t word) { return word != 0; });
}

void AggregationTable::merge(AggregationEntry& entry, std::span<const int64_t> words) const {
  switch (row(plan_->function).merge) {
    case AggregationMerge::Add: add_words(*plan_, entry.words, words); break;
    case AggregationMerge::Min: entry.words[0] = entry.is_live ? std::min(entry.words[0], words[0]) : words[0]; break;
    case AggregationMerge::Max: entry.words[0] = entry.is_live ? std::max(entry.words[0], words[0]) : words[0]; break;
  }
  entry.is_live = true;
}

// min() and max() start at the extremes, and return to them after clear() (consumer-and-actions.md 3.12, 5.1).
int64_t AggregationTable::start_value() const {
  switch (row(plan_->function).merge) {
    case AggregationMerge::Add: return 0;
    case AggregationMerge::Min: return INT64_MAX;
    case AggregationMerge::Max: return INT64_MIN;
  }
  DS_UNREACHABLE();
}

AggregationEntry& AggregationTable::entry_of(std::string identity, const std::byte* key, KeyIndex& by_identity) {
  auto identity_at = [this](size_t number) -> std::string_view { return entries_[number].identity; };
  size_t number = by_identity.find_or_insert(identity, entries_.size(), identity_at);
  if (number == entries_.size()) {
    entries_.push_back({.identity = std::move(identity), .key = key});
    entries_.back().words.resize(plan_->data_words, start_value());
  }
  return entries_[number];
}

void AggregationTable::add_element(uint32_t index, KeyIndex& by_identity) {
  const AggregationElement& element = snapshot_[index];
  if (element.key.size() < plan_->key_size || is_hidden(element)) return;
  std::string identity = key_identity(*plan_, element.key.data(), *values_);
  if (limit_ && plan_->key_size != 0 && !admits(identity)) return absorb(element);
  AggregationEntry& entry = entry_of(std::move(identity), element.key.data(), by_identity);
  entry.elements.push_back(index);
  const Baseline* baseline = baseline_of(element);
  bool has_cpu_values = values_->options().is_on(OptionId::Aggpercpu);
  if (has_cpu_values) entry.per_cpu.resize(source_->cpu_count(), std::vector<int64_t>(plan_->data_words));
  std::vector<int64_t> words;
  for (size_t i = 0; i < element.values.count(); ++i) {
    if (state_of(element.values.value(i)) == 0 || !load_cpu_words(element, i, baseline, words)) continue;
    merge(entry, words);
    if (has_cpu_values) add_words(*plan_, entry.per_cpu[element.values.cpu(i)], words);
  }
}

bool AggregationTable::admits(const std::string& identity) {
  if (limit_->kept.contains(identity)) return true;
  if (limit_->kept.size() >= limit_->max_elements) return false;
  limit_->kept.try_emplace(identity);
  return true;
}

bool AggregationTable::keeps(std::span<const std::byte> key) {
  std::string bytes{reinterpret_cast<const char*>(key.data()), key.size()};
  if (limit_->resident.contains(bytes)) return true;
  if (limit_->resident.size() >= limit_->max_elements || !admits(key_identity(*plan_, key.data(), *values_)))
    return false;
  limit_->resident.insert(std::move(bytes));
  return true;
}

// Slots of min() and max() belong to generations, but without clear() all of them count.
void AggregationTable::absorb(const AggregationElement& element) {
  std::string identity = key_identity(*plan_, element.key.data(), *values_);
  auto kept = admits(identity) ? limit_->kept.find(identity) : limit_->kept.end();
  std::vector<int64_t>& sum = kept != limit_->kept.end() ? kept->second.words : limit_->overflow;
  if (kept != limit_->kept.end() && kept->second.key.empty()) kept->second.key = element.key;
  add_values(element.values, sum);
}

void AggregationTable::add_values(const CpuValues& values, std::vector<int64_t>& sum) const {
  std::vector<int64_t> words(plan_->data_words);
  for (size_t i = 0; i < values.count(); ++i) {
    std::span<const std::byte> value = values.value(i);
    for (size_t slot = 0; slot + plan_->slot_size() <= value.size(); slot += plan_->slot_size()) {
      std::span<const std::byte> own = value.subspan(slot, plan_->slot_size());
      if (state_of(own) == 0) continue;
      for (size_t word = 0; word < words.size(); ++word) words[word] = static_cast<int64_t>(word_at(own, word));
      if (sum.empty()) sum = words;
      else merge_words(*plan_, sum, words);
    }
  }
}

// The kernel's sums are totals, but the extremes are those of two generations.
void AggregationTable::refresh_overflow() {
  CpuValues values = source_->overflow(id_);
  if (!has_updates(values)) return;
  if (!extremes_) limit_->no_room.clear();
  add_values(values, limit_->no_room);
}

std::vector<int64_t> AggregationTable::overflow() const {
  if (!limit_ || limit_->no_room.empty()) return limit_ ? limit_->overflow : std::vector<int64_t>{};
  if (limit_->overflow.empty()) return limit_->no_room;
  std::vector<int64_t> sum = limit_->overflow;
  merge_words(*plan_, sum, limit_->no_room);
  return sum;
}

void AggregationTable::add_folded(KeyIndex& by_identity) {
  for (auto& [identity, folded] : limit_->kept)
    if (!folded.words.empty()) merge(entry_of(identity, folded.key.data(), by_identity), folded.words);
}

void AggregationTable::forget(std::string_view identity) {
  if (!limit_) return;
  limit_->kept.erase(std::string{identity});
  auto entry = std::ranges::find(entries_, identity, &AggregationEntry::identity);
  if (entry == entries_.end()) return;
  for (uint32_t index : entry->elements) {
    const AggregationElement& element = snapshot_[index];
    limit_->resident.erase(element.key_bytes());
    auto last = source_->remove(id_, element.key);
    if (!last) continue;
    if (extremes_) {
      extremes_->remove(element.key_bytes(), *last);
      continue;
    }
    // An update since the snapshot begins a new life of the entry.
    change_words(*last, element.values,
                 [&](std::span<int64_t> words, std::span<const int64_t> by) { subtract_words(*plan_, words, by); });
    if (has_updates(*last)) absorb({.key = element.key, .values = std::move(*last)});
  }
  entries_.erase(entry);
}

void AggregationTable::set_to_start(AggregationEntry& entry) const {
  std::fill(entry.words.begin(), entry.words.end(), start_value());
  for (auto& words : entry.per_cpu) std::fill(words.begin(), words.end(), 0);
  entry.is_live = false;
}

void AggregationTable::clear() {
  if (extremes_) extremes_->clear();
  for (AggregationEntry& entry : entries_) {
    set_to_start(entry);
    if (extremes_) continue;
    for (uint32_t index : entry.elements)
      baselines_[snapshot_[index].key_bytes()] = {.values = snapshot_[index].values};
  }
}

// An element that cannot be removed, such as the only one of an unkeyed aggregation, stays hidden until its next
// update.
void AggregationTable::remove_from_kernel(AggregationEntry& entry) {
  for (uint32_t index : entry.elements) {
    const AggregationElement& element = snapshot_[index];
    auto last = plan_->key_size != 0 ? source_->remove(id_, element.key) : fail(Error::make("has no keys"));
    if (extremes_) {
      extremes_->remove(element.key_bytes(), last ? *last : CpuValues{});
    } else if (last) {
      baselines_.erase(element.key_bytes());
      keep_late_updates(element, std::move(*last));
    } else {
      baselines_[element.key_bytes()] = {.values = element.values, .is_hidden = true};
    }
  }
}

// Printing a large table and removing its elements one by one takes long enough for many updates.
void AggregationTable::keep_late_updates(const AggregationElement& element, CpuValues last) {
  std::string key = element.key_bytes();
  auto before = late_.extract(key);
  if (last.empty()) return;
  auto subtract = [&](std::span<int64_t> words, std::span<const int64_t> by) { subtract_words(*plan_, words, by); };
  CpuValues seen = element.values;
  if (!before.empty()) change_words(seen, before.mapped(), subtract);
  change_words(last, seen, subtract);
  if (has_updates(last)) late_.emplace(std::move(key), std::move(last));
}

void AggregationTable::add_late_updates() {
  std::unordered_map<std::string, size_t> positions;  // in the snapshot
  for (size_t i = 0; i < snapshot_.size(); ++i)
    if (std::string key = snapshot_[i].key_bytes(); late_.contains(key)) positions.emplace(std::move(key), i);
  auto add = [&](std::span<int64_t> words, std::span<const int64_t> by) { add_words(*plan_, words, by); };
  for (const auto& [key, values] : late_) {
    if (auto position = positions.find(key); position != positions.end()) {
      change_words(snapshot_[position->second].values, values, add);
      continue;
    }
    auto bytes = std::as_bytes(std::span{key});
    snapshot_.push_back({.key = {bytes.begin(), bytes.end()}, .values = values});
  }
}

template <typename Change>
void AggregationTable::change_words(CpuValues& values, const CpuValues& by, const Change& change) const {
  std::vector<int64_t> words(plan_->data_words), others(plan_->data_words);
  size_t bytes = size_t{plan_->data_words} * 8;
  for (size_t i = 0; i < by.count(); ++i) {
    std::byte* changed = values.at(by.cpu(i));
    std::memcpy(words.data(), changed, bytes);
    std::memcpy(others.data(), by.value(i).data(), bytes);
    change(std::span{words}, std::span<const int64_t>{others});
    std::memcpy(changed, words.data(), bytes);
  }
}

void AggregationTable::truncate(std::optional<int64_t> keep) {
  // Ordered by value, then by key, independently of the sort options.
  std::vector<std::pair<AggregationWeight, size_t>> order;
  for (size_t i = 0; i < entries_.size(); ++i) order.push_back({weight_of(*plan_, entries_[i].words), i});
  std::sort(order.begin(), order.end(), [&](auto& a, auto& b) {
    if (auto by_value = a.first <=> b.first; by_value != 0) return by_value < 0;
    return entries_[a.second].identity < entries_[b.second].identity;
  });
  uint64_t wanted = !keep ? 0 : *keep < 0 ? uint64_t{0} - static_cast<uint64_t>(*keep) : static_cast<uint64_t>(*keep);
  size_t kept = static_cast<size_t>(std::min<uint64_t>(wanted, order.size()));
  bool keeps_smallest = keep && *keep < 0;
  std::vector<AggregationEntry> remaining;
  for (size_t i = 0; i < order.size(); ++i) {
    AggregationEntry& entry = entries_[order[i].second];
    bool is_kept = keeps_smallest ? i < kept : i >= order.size() - kept;
    if (is_kept) remaining.push_back(std::move(entry));
    else remove_from_kernel(entry);
  }
  entries_ = std::move(remaining);
}

}  // namespace dscope
