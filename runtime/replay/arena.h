// Arena: the address range in which native programs live: their maps, stack, code and synthetic kernel objects. Memory
// that a program reads by helpers is either in here or recorded. The range is far from the addresses that processes
// usually have, so that a recorded address is not mistaken for one of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "support/result.h"

namespace dscope {

class Arena {
 public:
  // Reserves the range. Pages take memory only once they are touched.
  static Result<Arena> create();
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena();

  // Zeroed memory that lives as long as the arena. Error if the range is exhausted. `alignment` is a power of two.
  Result<std::span<std::byte>> allocate(size_t bytes, size_t alignment = 16);
  bool contains(uint64_t address, uint64_t bytes) const {
    return address - start_ < size_ && bytes <= size_ - (address - start_);
  }

 private:
  Arena(uint64_t start, size_t size) : start_(start), size_(size) {}

  uint64_t start_ = 0;
  size_t size_ = 0, used_ = 0;  // bytes
};

}  // namespace dscope
