#include "runtime/aggregations/recorded_elements.h"

#include <algorithm>
#include <cstring>

#include "runtime/aggregations/aggregation_value.h"
#include "runtime/format/value.h"

namespace dscope {
namespace {

// Copies a field of the record to its place in the key: integers whole, text only up to its end.
void copy_key(const Field& to, const Field& from, const std::byte* record, std::string& key) {
  size_t size = std::min(to.size, from.size);
  if (to.kind == FieldKind::String) size = std::min(size, text_of(field_bytes(from, record)).size());
  std::memcpy(key.data() + to.offset, record + from.offset, size);
}

std::vector<int64_t> load_words(const AggregationPlan& plan, const std::byte* from) {
  std::vector<int64_t> words(plan.data_words);
  std::memcpy(words.data(), from, words.size() * sizeof words[0]);
  return words;
}

}  // namespace

// Laid out like the kernel's keys: a stack is the process id, its frames, zeroes.
std::string RecordedElements::key_of(const UpdatePlan& update, const std::byte* record) const {
  const AggregationPlan& plan = plan_.aggregations[update.aggregation];
  std::string key(plan.key_size, '\0');
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    const Field &whole = plan.keys[i], &from = update.fields[i];
    uint64_t variant = whole.variants.empty() ? 0 : update.variants[i];
    const Field& to = whole.variants.empty() ? whole : whole.variants[variant];
    if (!whole.variants.empty()) std::memcpy(key.data() + whole.offset, &variant, sizeof variant);
    if (!from.has_copy) {
      copy_key(to, from, record, key);
      continue;
    }
    std::vector<uint64_t> frames = values_.frames(from, record);
    frames.resize(std::min<size_t>(frames.size(), to.frames));
    std::memcpy(key.data() + to.offset, record + from.offset, sizeof(uint64_t));
    std::memcpy(key.data() + to.offset + sizeof(uint64_t), frames.data(), frames.size() * sizeof(uint64_t));
  }
  return key;
}

// Writes to the slot of the current generation, as programs do. The generation in the record may be outdated, but only
// one of its two slots is in use, and that one holds the value.
void RecordedElements::keep_extreme(const UpdatePlan& update, std::byte* words, const std::byte* added) const {
  const AggregationPlan& plan = plan_.aggregations[update.aggregation];
  bool is_second = load_word(added + 8) == 0;
  auto value = static_cast<int64_t>(load_word(added + (is_second ? plan.slot_size() : 0)));
  uint64_t current = generation(update.aggregation) + 1;
  std::byte* extreme = words + (current % 2 == 0 ? plan.slot_size() : 0);
  std::byte* state = extreme + 8;
  int64_t before = static_cast<int64_t>(load_word(extreme));
  bool is_better = row(plan.function).merge == AggregationMerge::Min ? value < before : value > before;
  if (load_word(state) == current && !is_better) return;
  std::memcpy(extreme, &value, sizeof value);
  std::memcpy(state, &current, sizeof current);
}

void RecordedElements::add(const UpdatePlan& update, uint32_t cpu, const std::byte* record) {
  const AggregationPlan& plan = plan_.aggregations[update.aggregation];
  if (cpu >= cpu_count()) return;
  auto element = elements_[update.aggregation].try_emplace(key_of(update, record), plan.value_size).first;
  std::byte* words = element->second.at(cpu);
  const std::byte* added = record + update.fields.back().offset;
  if (plan.has_generation) return keep_extreme(update, words, added);
  std::vector<int64_t> sum = load_words(plan, words);
  add_words(plan, sum, load_words(plan, added));
  std::memcpy(words, sum.data(), sum.size() * sizeof sum[0]);
}

Result<std::vector<AggregationElement>> RecordedElements::read(uint32_t id) {
  if (!plan_.aggregations[id].is_recorded) return kernel_.read(id);
  std::vector<AggregationElement> all;
  for (const auto& [key, values] : elements_[id]) {
    auto bytes = std::as_bytes(std::span{key});
    all.push_back({.key = {bytes.begin(), bytes.end()}, .values = values});
  }
  return all;
}

Result<std::vector<AggregationElement>> RecordedElements::read_kept(uint32_t id, const KeyFilter& keeps,
                                                                    const ElementSink& removed) {
  if (!plan_.aggregations[id].is_recorded) return kernel_.read_kept(id, keeps, removed);
  return AggregationSource::read_kept(id, keeps, removed);
}

Result<CpuValues> RecordedElements::remove(uint32_t id, std::span<const std::byte> key) {
  if (!plan_.aggregations[id].is_recorded) return kernel_.remove(id, key);
  auto taken = elements_[id].extract(std::string{reinterpret_cast<const char*>(key.data()), key.size()});
  return taken.empty() ? CpuValues{} : std::move(taken.mapped());
}

}  // namespace dscope
