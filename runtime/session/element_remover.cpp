#include "runtime/session/element_remover.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <cerrno>

#include "runtime/format/value.h"
#include "runtime/kernel/cpu_pin.h"

namespace dscope {

bool ElementRemover::belongs_here(std::span<const std::byte> key) const {
  constexpr size_t word_bytes = 8;
  return !plan_.shares_map || load_word(&key[key.size() - word_bytes]) == plan_.number;
}

bool ElementRemover::stays(std::span<const std::byte> key, size_t own_key_size) {
  if (!belongs_here(key)) return true;
  whole_key_.assign(key.begin(), key.begin() + static_cast<ptrdiff_t>(own_key_size));
  whole_key_.resize(plan_.key_size);
  if (keeps_(whole_key_)) return true;
  key_size_ = key.size();
  own_key_size_ = own_key_size;
  keys_.insert(keys_.end(), key.begin(), key.end());
  return false;
}

Result<> ElementRemover::flush(int map_fd) {
  std::vector<std::pair<uint64_t, const std::byte*>> by_cpu;
  for (size_t at = 0; at + key_size_ <= keys_.size() && key_size_ != 0; at += key_size_)
    by_cpu.emplace_back(load_word(&keys_[at + own_key_size_]), &keys_[at]);
  std::ranges::stable_sort(by_cpu, {}, &std::pair<uint64_t, const std::byte*>::first);
  std::vector<std::byte> value(plan_.map_value_size);
  AggregationElement element;
  for (size_t i = 0; i < by_cpu.size();) {
    uint64_t cpu = by_cpu[i].first;
    CpuPin pin{cpu < cpu_count_ ? static_cast<int>(cpu) : -1};
    for (; i < by_cpu.size() && by_cpu[i].first == cpu; ++i) {
      const std::byte* key = by_cpu[i].second;
      int status = bpf_map_lookup_and_delete_elem(map_fd, key, value.data());
      if (status == -ENOENT) continue;
      if (status < 0) return fail(Error::from_errno(-status, "cannot remove an element"));
      element.key.assign(key, key + own_key_size_);
      element.key.resize(plan_.key_size);
      element.values = CpuValues{plan_.value_size};
      element.values.append(static_cast<uint32_t>(cpu), value.data());
      removed_(element);
    }
  }
  keys_.clear();
  return {};
}

}  // namespace dscope
