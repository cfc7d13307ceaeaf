// NativeMap: a map of the plan in the memory of this process, with the behavior of the kernel's maps. One thread uses
// it. Elements never move, because programs keep pointers to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/replay/arena.h"
#include "support/result.h"

namespace dscope {

class NativeMap {
 public:
  // An array or a hash. `plan` and `arena` must outlive the map. `cpu_count`: values of an element of a per-CPU map.
  static Result<NativeMap> create(const MapPlan& plan, uint32_t cpu_count, Arena& arena);

  const MapPlan& plan() const { return *plan_; }
  // Bytes of an element's values: of all CPUs in a per-CPU map, each padded to a multiple of 8 bytes.
  size_t element_bytes() const { return element_bytes_; }
  // The elements of an array, one after the other.
  std::span<std::byte> elements() const { return nodes_; }

  // As the BPF helpers on behalf of `cpu`. The value, or null if there is none.
  std::byte* lookup(const void* key, uint32_t cpu) {
    std::byte* values = find(key);
    return values == nullptr || !is_per_cpu_ ? values : values + cpu * value_stride_;
  }
  // 0 or a negative errno. `flags` as BPF_ANY, BPF_NOEXIST and BPF_EXIST.
  int64_t update(const void* key, const void* value, uint64_t flags, uint32_t cpu);
  int64_t remove(const void* key);

  // The values of all CPUs, or null.
  std::byte* find(const void* key) {
    auto bytes = static_cast<const std::byte*>(key);
    return is_hash_ ? find_in_hash(bytes) : find_in_array(bytes);
  }
  // The element of a hash, created with zeros if it is absent; null if the map is full.
  std::byte* emplace(const void* key);

  // Calls visit(key, values of all CPUs) for each element of a hash. `visit` must not change the map.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint32_t node = 0; node < next_node_; ++node)
      if (is_used_[node]) visit(std::span{key_of(node), plan_->key_size}, std::span{values_of(node), element_bytes_});
  }

 private:
  explicit NativeMap(const MapPlan& plan) : plan_(&plan) {}

  std::byte* find_in_array(const std::byte* key) const;
  std::byte* find_in_hash(const std::byte* key) const;
  // The slot that holds the key's node, or the empty slot where it belongs.
  size_t slot_of(const std::byte* key, uint32_t hash) const;
  uint32_t new_node(uint32_t hash);
  void insert(uint32_t node);
  void grow();
  std::byte* key_of(uint32_t node) const { return nodes_.data() + size_t{node} * node_bytes_; }
  std::byte* values_of(uint32_t node) const { return key_of(node) + value_offset_; }

  const MapPlan* plan_;
  bool is_hash_ = false, is_per_cpu_ = false;
  size_t value_stride_ = 0, element_bytes_ = 0, value_offset_ = 0, node_bytes_ = 0;
  std::span<std::byte> nodes_;  // key and values of each node; arrays have no keys
  // Hashes: an open-addressing table with linear probing.
  std::vector<uint32_t> slots_;    // node + 1; 0: empty. A power of two of them, at most half are taken
  std::vector<uint32_t> hashes_;   // by node
  std::vector<uint8_t> is_used_;   // by node
  std::vector<uint32_t> removed_;  // nodes to use again
  uint32_t count_ = 0;             // elements
  uint32_t next_node_ = 0;         // nodes from here on were never used
};

}  // namespace dscope
