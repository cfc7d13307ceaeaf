#include "runtime/replay/native_map.h"

#include <linux/bpf.h>

#include <bit>
#include <cerrno>
#include <cstring>

namespace dscope {

namespace {

constexpr size_t round_up8(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

constexpr size_t first_slots = 64;

uint64_t word_at(const std::byte* bytes, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

uint32_t hash_of(const std::byte* key, size_t bytes) {
  constexpr uint64_t factor = 0x9e37'79b9'7f4a'7c15;
  uint64_t hash = bytes;
  for (; bytes >= 8; key += 8, bytes -= 8) hash = std::rotl(hash ^ word_at(key, 8), 29) * factor;
  if (bytes != 0) hash = std::rotl(hash ^ word_at(key, bytes), 29) * factor;
  return static_cast<uint32_t>(hash >> 32);
}

}  // namespace

Result<NativeMap> NativeMap::create(const MapPlan& plan, uint32_t cpu_count, Arena& arena) {
  NativeMap map{plan};
  map.is_hash_ = plan.kind == MapKind::Hash || plan.kind == MapKind::PerCpuHash;
  map.is_per_cpu_ = plan.kind == MapKind::PerCpuArray || plan.kind == MapKind::PerCpuHash;
  map.value_stride_ = round_up8(plan.value_size);
  map.element_bytes_ = map.value_stride_ * (map.is_per_cpu_ ? cpu_count : 1);
  map.value_offset_ = map.is_hash_ ? round_up8(plan.key_size) : 0;
  map.node_bytes_ = map.value_offset_ + map.element_bytes_;
  DS_TRY(map.nodes_, arena.allocate(map.node_bytes_ * plan.max_entries));
  if (map.is_hash_) map.slots_.resize(first_slots);
  if (!plan.initial.empty() && !map.is_hash_)
    std::memcpy(map.nodes_.data(), plan.initial.data(), std::min<size_t>(plan.initial.size(), plan.value_size));
  return map;
}

std::byte* NativeMap::find_in_array(const std::byte* key) const {
  uint32_t index = 0;
  std::memcpy(&index, key, sizeof index);
  return index < plan_->max_entries ? nodes_.data() + index * node_bytes_ : nullptr;
}

size_t NativeMap::slot_of(const std::byte* key, uint32_t hash) const {
  size_t mask = slots_.size() - 1, slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    uint32_t node = slots_[slot] - 1;
    if (hashes_[node] == hash && std::memcmp(key_of(node), key, plan_->key_size) == 0) break;
  }
  return slot;
}

std::byte* NativeMap::find_in_hash(const std::byte* key) const {
  uint32_t found = slots_[slot_of(key, hash_of(key, plan_->key_size))];
  return found == 0 ? nullptr : values_of(found - 1);
}

uint32_t NativeMap::new_node(uint32_t hash) {
  uint32_t node = next_node_;
  if (!removed_.empty()) {
    node = removed_.back();
    removed_.pop_back();
    std::memset(key_of(node), 0, node_bytes_);
  } else {
    ++next_node_;
    hashes_.push_back(0);
    is_used_.push_back(0);
  }
  hashes_[node] = hash;
  is_used_[node] = 1;
  ++count_;
  return node;
}

void NativeMap::insert(uint32_t node) {
  size_t mask = slots_.size() - 1, slot = hashes_[node] & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = node + 1;
}

void NativeMap::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (uint32_t node = 0; node < next_node_; ++node)
    if (is_used_[node] != 0) insert(node);
}

std::byte* NativeMap::emplace(const void* key) {
  auto bytes = static_cast<const std::byte*>(key);
  uint32_t hash = hash_of(bytes, plan_->key_size);
  if (uint32_t found = slots_[slot_of(bytes, hash)]; found != 0) return values_of(found - 1);
  if (count_ >= plan_->max_entries) return nullptr;
  uint32_t node = new_node(hash);
  std::memcpy(key_of(node), key, plan_->key_size);
  if (size_t{count_} * 2 > slots_.size()) grow();
  else insert(node);
  return values_of(node);
}

int64_t NativeMap::update(const void* key, const void* value, uint64_t flags, uint32_t cpu) {
  std::byte* values = find(key);
  if (values != nullptr && flags == BPF_NOEXIST) return -EEXIST;
  if (values == nullptr && (flags == BPF_EXIST || !is_hash_)) return is_hash_ ? -ENOENT : -E2BIG;
  if (values == nullptr) values = emplace(key);
  if (values == nullptr) return -E2BIG;
  std::memcpy(is_per_cpu_ ? values + cpu * value_stride_ : values, value, plan_->value_size);
  return 0;
}

int64_t NativeMap::remove(const void* key) {
  if (!is_hash_) return -EINVAL;
  auto bytes = static_cast<const std::byte*>(key);
  size_t mask = slots_.size() - 1, slot = slot_of(bytes, hash_of(bytes, plan_->key_size));
  if (slots_[slot] == 0) return -ENOENT;
  uint32_t node = slots_[slot] - 1;
  is_used_[node] = 0;
  removed_.push_back(node);
  --count_;
  // Moves later nodes of the same run into the gap, so that no search ends before them.
  size_t gap = slot;
  for (size_t next = (gap + 1) & mask; slots_[next] != 0; next = (next + 1) & mask) {
    size_t home = hashes_[slots_[next] - 1] & mask;
    if (((next - home) & mask) < ((next - gap) & mask)) continue;
    slots_[gap] = slots_[next];
    gap = next;
  }
  slots_[gap] = 0;
  return 0;
}

}  // namespace dscope
