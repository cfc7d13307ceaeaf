#include "runtime/session/element_joiner.h"

#include <algorithm>
#include <string_view>

#include "runtime/format/value.h"

namespace dscope {

namespace {

std::string_view bytes_of_key(std::span<const std::byte> key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

}  // namespace

CpuValues values_of_cpus(std::span<const std::byte> bytes, size_t value_size, size_t stride) {
  CpuValues values{value_size};
  for (size_t at = 0; at + stride <= bytes.size(); at += stride) {
    std::span<const std::byte> value = bytes.subspan(at, value_size);
    if (std::ranges::any_of(value, [](std::byte byte) { return byte != std::byte{}; }))
      values.append(static_cast<uint32_t>(at / stride), value.data());
  }
  return values;
}

AggregationElement& ElementJoiner::element_of(std::span<const std::byte> own_key) {
  if (own_key.size() < plan_->key_size) {
    whole_key_.assign(own_key.begin(), own_key.end());
    whole_key_.resize(plan_->key_size);
    own_key = whole_key_;
  }
  auto key_at = [this](size_t number) { return bytes_of_key(elements_[number].key); };
  size_t number = by_key_.find_or_insert(bytes_of_key(own_key), elements_.size(), key_at);
  if (number == elements_.size())
    elements_.push_back({.key = {own_key.begin(), own_key.end()}, .values = CpuValues{plan_->value_size}});
  return elements_[number];
}

void ElementJoiner::add(std::span<const std::byte> key, size_t own_key_size, std::span<const std::byte> value) {
  constexpr size_t word_bytes = 8;
  if (plan_->shares_map && load_word(&key[key.size() - word_bytes]) != plan_->number) return;
  if (!plan_->is_cpu_in_key) {
    elements_.push_back({.key = {key.begin(), key.begin() + static_cast<ptrdiff_t>(own_key_size)},
                         .values = values_of_cpus(value, plan_->value_size, plan_->map_value_size)});
    return;
  }
  uint64_t cpu = load_word(&key[own_key_size]);
  AggregationElement& element = element_of(key.first(own_key_size));
  if (cpu < cpu_count_) element.values.append(static_cast<uint32_t>(cpu), value.data());
}

std::vector<AggregationElement> ElementJoiner::take() {
  for (AggregationElement& element : elements_) element.values.sort();
  return std::move(elements_);
}

}  // namespace dscope
