#include "runtime/aggregations/cpu_values.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/format/value.h"

namespace dscope {

uint32_t CpuValues::cpu(size_t index) const {
  return static_cast<uint32_t>(load_word(slots_.data() + index * stride()));
}

size_t CpuValues::lower_bound(uint32_t cpu) const {
  size_t first = 0, last = count();
  while (first < last) {
    size_t middle = (first + last) / 2;
    if (this->cpu(middle) < cpu) first = middle + 1;
    else last = middle;
  }
  return first;
}

const std::byte* CpuValues::find(uint32_t cpu) const {
  size_t index = lower_bound(cpu);
  return index < count() && this->cpu(index) == cpu ? value(index).data() : nullptr;
}

std::byte* CpuValues::at(uint32_t cpu) {
  size_t index = lower_bound(cpu);
  if (index == count() || this->cpu(index) != cpu) {
    auto place = slots_.begin() + static_cast<ptrdiff_t>(index * stride());
    place = slots_.insert(place, stride(), std::byte{});
    uint64_t number = cpu;
    std::memcpy(&*place, &number, sizeof number);
  }
  return value(index).data();
}

void CpuValues::append(uint32_t cpu, const std::byte* value) {
  uint64_t number = cpu;
  auto bytes = std::as_bytes(std::span{&number, 1});
  slots_.insert(slots_.end(), bytes.begin(), bytes.end());
  slots_.insert(slots_.end(), value, value + value_size_);
}

bool CpuValues::is_sorted() const {
  for (size_t i = 1; i < count(); ++i)
    if (cpu(i) <= cpu(i - 1)) return false;
  return true;
}

void CpuValues::sort() {
  if (is_sorted()) return;
  std::vector<size_t> order(count());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t index) { return cpu(index); });
  CpuValues sorted{value_size_};
  sorted.slots_.reserve(slots_.size());
  for (size_t i = 0; i < order.size(); ++i) {
    bool is_last = i + 1 == order.size() || cpu(order[i + 1]) != cpu(order[i]);
    if (is_last) sorted.append(cpu(order[i]), value(order[i]).data());
  }
  slots_ = std::move(sorted.slots_);
}

}  // namespace dscope
