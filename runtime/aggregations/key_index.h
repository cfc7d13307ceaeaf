// KeyIndex: finds the elements of a vector by their keys. It stores neither keys nor elements, only their numbers in
// one array: a snapshot of 100,000 elements needs no node on the heap for each of them, as a std::unordered_map does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace dscope {

class KeyIndex {
 public:
  // Makes room for `count` elements.
  void reserve(size_t count) {
    size_t slots = min_slots;
    while (slots < 2 * count) slots *= 2;
    if (slots > slots_.size()) rebuild(slots);
  }

  // Returns the number of the element that has `key`. If there is none, returns `next`, which the caller appends to its
  // vector at once; at most 2^32 - 2. `key_at(number)` returns the key of an element that was inserted before.
  template <typename KeyAt>
  size_t find_or_insert(std::string_view key, size_t next, KeyAt&& key_at) {
    if (2 * (count_ + 1) > slots_.size()) rebuild(slots_.empty() ? min_slots : 2 * slots_.size());
    auto hash = static_cast<uint32_t>(std::hash<std::string_view>{}(key));
    for (Slot* slot = &slots_[hash & (slots_.size() - 1)];; slot = after(slot)) {
      if (slot->number == no_number) {
        *slot = {hash, static_cast<uint32_t>(next)};
        ++count_;
        return next;
      }
      if (slot->hash == hash && key_at(slot->number) == key) return slot->number;
    }
  }

 private:
  static constexpr uint32_t no_number = UINT32_MAX;
  static constexpr size_t min_slots = 16;
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = no_number;
  };

  Slot* after(Slot* slot) { return slot == &slots_.back() ? slots_.data() : slot + 1; }

  // `size` is a power of two.
  void rebuild(size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& moved : old) {
      if (moved.number == no_number) continue;
      Slot* slot = &slots_[moved.hash & (size - 1)];
      while (slot->number != no_number) slot = after(slot);
      *slot = moved;
    }
  }

  std::vector<Slot> slots_;  // linear probing; at most half are used
  size_t count_ = 0;
};

}  // namespace dscope
