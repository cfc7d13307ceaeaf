// RangeIndex: finds the range that contains a number, in logarithmic time even if ranges overlap: segments and sections
// of an ELF file, which may have 60,000 of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace dscope {

class RangeIndex {
 public:
  // Adds the numbers from `start`, `size` of them. Where ranges overlap, the one added first counts.
  void add(uint64_t start, uint64_t size, size_t value);
  // Makes the index ready for find(). Call it once, after the last add().
  void finish();
  // The value of the range that contains `number`.
  std::optional<size_t> find(uint64_t number) const;
  // How many numbers the ranges contain.
  uint64_t size() const;

 private:
  struct Range {
    uint64_t start, last;  // both included
    size_t value;
  };
  std::vector<Range> ranges_;             // disjoint; by start after finish()
  std::map<uint64_t, uint64_t> covered_;  // by start: the last number of a stretch that ranges cover without a gap
};

}  // namespace dscope
