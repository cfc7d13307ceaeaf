// NativeRing: the ring buffer of a native program. One thread writes and reads it, and reads it empty before it is
// full: records lie one after the other from its start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "runtime/replay/arena.h"
#include "support/result.h"

namespace dscope {

class NativeRing {
 public:
  // `capacity`: bytes, as MapPlan::max_entries of a ring buffer.
  static Result<NativeRing> create(size_t capacity, Arena& arena);

  // Space for a record; null if the ring is full.
  std::byte* reserve(uint64_t bytes);
  void submit(std::byte* record) { header_of(record).state = State::Submitted; }
  void discard(std::byte* record) { header_of(record).state = State::Discarded; }

  bool is_empty() const { return used_ == 0; }
  // Half full: the next firing may need the space.
  bool is_filling() const { return used_ > memory_.size() / 2; }

  // Whether test(std::span<const std::byte>) is true of a submitted record that was reserved since the last call.
  template <typename Test>
  bool has_new(Test&& test) {
    bool found = false;
    for_each(std::exchange(tested_, used_), [&](std::span<const std::byte> record) { found = found || test(record); });
    return found;
  }

  // Calls take(std::span<const std::byte>) for each submitted record, in order of reservation, and empties the ring.
  template <typename Take>
  void consume(Take&& take) {
    for_each(0, take);
    used_ = tested_ = 0;
  }

 private:
  enum class State : uint32_t { Reserved, Submitted, Discarded };
  struct Header {  // 8 bytes, like the kernel's
    uint32_t bytes;
    State state;
  };
  static size_t padded(size_t bytes) { return (bytes + 7) & ~size_t{7}; }
  static Header& header_of(std::byte* record) { return *reinterpret_cast<Header*>(record - sizeof(Header)); }

  template <typename Take>
  void for_each(size_t at, Take&& take) {
    while (at < used_) {
      const Header& header = *reinterpret_cast<const Header*>(memory_.data() + at);
      if (header.state == State::Submitted)
        take(std::span<const std::byte>{memory_.subspan(at + sizeof(Header), header.bytes)});
      at += sizeof(Header) + padded(header.bytes);
    }
  }

  std::span<std::byte> memory_;
  size_t used_ = 0, tested_ = 0;  // bytes; see has_new()
};

}  // namespace dscope
