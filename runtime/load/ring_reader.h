// RingReader: consumes records from a BPF ring buffer that is mapped into memory. It compares positions instead of
// polling, because records are submitted without wake-ups and a ring that was once full never causes another one.
#pragma once

#include <linux/bpf.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/record_format.h"
#include "runtime/load/bpf_map.h"
#include "runtime/load/time_merge.h"
#include "support/result.h"

namespace dscope {

class RingReader {
 public:
  // `map` is the ring buffer map; it must outlive the reader.
  static Result<RingReader> open(const BpfMap& map);

  // Becomes readable (edge) when a program forces a wake-up.
  int fd() const { return fd_; }
  uint64_t size() const { return size_; }
  // Bytes reserved by producers and consumed by this reader since the map was created.
  uint64_t produced() const { return position(producer_page_); }
  uint64_t consumed() const { return position(consumer_page_); }
  bool has_data() const { return consumed() != produced(); }
  // Bytes not yet consumed; another program may add to them at any time.
  uint64_t pending_bytes() const { return produced() - consumed(); }

  // True if the next pass should follow soon: the ring is an eighth full, or a ring below 1 MiB is not empty.
  bool is_filling() const { return pending_bytes() > (size_ < small_ring ? 0 : size_ / 8); }

  // Calls take(std::span<const std::byte>) for each record in order of reservation, until it returns false or a record
  // is still being written. Returns the number of records, without discarded ones.
  template <typename Take>
  size_t consume(Take&& take);

  // The cursor of a TimeMerge, for rings whose records follow a ds_ring_stamp.
  void begin();
  RingHead head();
  uint64_t time() const;
  std::span<const std::byte> record() { return whole((current_ + stamped_at) & (size_ - 1), length_ - stamp_size); }
  void pop();
  void finish();
  // The head was not yet in the ring when the last pass began.
  bool is_new() const { return static_cast<int64_t>(current_ - last_end_) >= 0; }

 private:
  static constexpr uint32_t stamp_size = sizeof(ds_ring_stamp), stamped_at = BPF_RINGBUF_HDR_SZ + stamp_size;
  static constexpr uint64_t small_ring = 1 << 20;
  using Position = unsigned long;

  std::span<const std::byte> whole(uint64_t offset, uint32_t length) {
    if (offset + length <= size_) [[likely]]
      return {data_ + offset, length};
    return joined(offset, length);
  }
  std::span<const std::byte> joined(uint64_t offset, uint32_t length);

  static Position position(const MappedMemory& page) {
    return std::atomic_ref<Position>{*reinterpret_cast<Position*>(page.data())}.load(std::memory_order_acquire);
  }
  void publish(Position consumed) {
    std::atomic_ref<Position>{*reinterpret_cast<Position*>(consumer_page_.data())}.store(consumed,
                                                                                         std::memory_order_release);
  }

  int fd_ = -1;
  uint64_t size_ = 0;           // of the data area, a power of two
  MappedMemory consumer_page_;  // the consumer's position, writable
  MappedMemory producer_page_;  // the producers' position, then the data area
  std::byte* data_ = nullptr;
  // A record that wraps around is assembled here. Mapping the data area twice, as the kernel allows, would avoid the
  // copy but count twice as resident memory.
  std::vector<std::byte> split_;
  // State of the cursor: positions of the head, of the end of this pass and the last one, and of the space released.
  Position current_ = 0, end_ = 0, last_end_ = 0, published_ = 0;
  uint32_t length_ = 0;  // of the head, stamp included
};

template <typename Take>
size_t RingReader::consume(Take&& take) {
  // Space is released in portions: producers read the position, and each update invalidates their cache line.
  const Position portion = static_cast<Position>(size_ / 16);
  Position current = position(consumer_page_), published = current;
  Position end = position(producer_page_);
  size_t taken = 0;
  bool goes_on = true;
  while (current != end && goes_on) {
    std::byte* record = data_ + (current & (size_ - 1));
    uint32_t header = std::atomic_ref<uint32_t>{*reinterpret_cast<uint32_t*>(record)}.load(std::memory_order_acquire);
    if (header & BPF_RINGBUF_BUSY_BIT) break;
    uint32_t length = header & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
    if (!(header & BPF_RINGBUF_DISCARD_BIT)) {
      goes_on = take(whole((current + BPF_RINGBUF_HDR_SZ) & (size_ - 1), length));
      ++taken;
    }
    current += (Position{length} + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
    if (current - published >= portion) publish(published = current);
    if (current == end) end = position(producer_page_);
  }
  if (current != published) publish(current);
  return taken;
}

}  // namespace dscope
