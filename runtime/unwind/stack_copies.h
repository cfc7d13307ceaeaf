// StackCopies: unwinds the copies of user stacks that programs send when they cannot unwind a stack by tables
// (contract/stacks/unwind_format.h), and keeps the frames for the values that refer to them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/format/copied_stack.h"
#include "runtime/load/bpf_map.h"
#include "runtime/load/ring_reader.h"
#include "support/result.h"

namespace dscope {

class StackCopies final : public NumberedStacks {
 public:
  // Null if the maps have no ring for copies. The references must outlive the result.
  static Result<std::unique_ptr<StackCopies>> open(const MapSet& maps, Symbolizer& symbols);

  // Unwinds the copies that have arrived. Call soon: their processes may exit, and the ring is small.
  void read();
  // Reads first if the number is unknown. The result is valid until the next call of find() or read().
  std::span<const uint64_t> find(uint32_t number) override;

  // Adds the frames of a copy, as read() does. `record`: struct ds_unwind_copy and what follows it.
  void add(std::span<const std::byte> record);

  // `ring`: a default one has no records.
  StackCopies(RingReader ring, Symbolizer& symbols) : ring_(std::move(ring)), symbols_(symbols) {}

 private:
  RingReader ring_;
  Symbolizer& symbols_;
  std::unordered_map<uint32_t, std::vector<uint64_t>> stacks_;  // by number
  std::deque<uint32_t> order_;                                  // of arrival
  size_t frame_count_ = 0;                                      // in stacks_
};

}  // namespace dscope
