// RingSet: the ring buffers of a run, read as one. Records of several rings come in the order of their times.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/load/ring_reader.h"

namespace dscope {

class RingSet {
 public:
  // `map` is the ring buffer or the table of ring buffers; it must outlive the result.
  static Result<RingSet> open(const BpfMap& map);

  // One for each ring: becomes readable (edge) when a program forces a wake-up.
  std::vector<int> fds() const;
  // Bytes of each ring.
  uint64_t size() const { return rings_.front().size(); }
  bool has_data() const { return std::ranges::any_of(rings_, &RingReader::has_data); }
  // True if the next pass should follow soon.
  bool is_filling() const { return std::ranges::any_of(rings_, &RingReader::is_filling); }
  // Bytes consumed since the start, of all rings.
  uint64_t consumed() const;

  // The position up to which each ring was written at some time.
  using Mark = std::vector<uint64_t>;
  Mark mark() const;
  bool has_passed(const Mark& mark) const;

  // Calls take(std::span<const std::byte>) for each record, without its stamp, until it returns false or the next
  // record is still being written. Returns the number of records, without discarded ones.
  template <typename Take>
  size_t consume(Take&& take) {
    return is_table_ ? merge_.run(rings_, now(), take) : rings_.front().consume(take);
  }

 private:
  RingSet(std::vector<RingReader> rings, bool is_table)
      : rings_(std::move(rings)), is_table_(is_table), merge_(rings_.size()) {}
  static uint64_t now();  // the clock of bpf_ktime_get_ns()

  std::vector<RingReader> rings_;
  bool is_table_;  // records have stamps
  TimeMerge<RingReader> merge_;
};

}  // namespace dscope
