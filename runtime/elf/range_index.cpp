#include "runtime/elf/range_index.h"

#include <algorithm>

namespace dscope {

// Adds the range where nothing is covered yet. Each gap is filled once and joins the stretches around it, so that n
// ranges take n log n steps.
void RangeIndex::add(uint64_t start, uint64_t size, size_t value) {
  if (size == 0) return;
  uint64_t last = size - 1 > UINT64_MAX - start ? UINT64_MAX : start + (size - 1);
  auto next = covered_.upper_bound(start);
  uint64_t first = start;
  if (next != covered_.begin() && std::prev(next)->second >= start) {
    --next;
    if (next->second >= last) return;
    first = next->first;
    start = next->second + 1;
    next = covered_.erase(next);
  }
  uint64_t end = last;
  bool is_covered = false;  // up to `last`
  while (!is_covered && next != covered_.end() && next->first <= last) {
    if (next->first > start) ranges_.push_back({start, next->first - 1, value});
    is_covered = next->second >= last;
    end = std::max(end, next->second);
    start = next->second + 1;
    next = covered_.erase(next);
  }
  if (!is_covered) ranges_.push_back({start, last, value});
  covered_.emplace(first, end);
}

void RangeIndex::finish() {
  covered_.clear();
  std::ranges::sort(ranges_, {}, &Range::start);
}

uint64_t RangeIndex::size() const {
  uint64_t total = 0;
  for (const Range& range : ranges_) total += range.last - range.start + 1;
  return total;
}

std::optional<size_t> RangeIndex::find(uint64_t number) const {
  auto above = std::ranges::upper_bound(ranges_, number, {}, &Range::start);
  if (above == ranges_.begin() || (above - 1)->last < number) return std::nullopt;
  return (above - 1)->value;
}

}  // namespace dscope
