#include "runtime/load/ring_reader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace dscope {

Result<RingReader> RingReader::open(const BpfMap& map) {
  auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  RingReader reader;
  reader.fd_ = map.fd();
  reader.size_ = map.max_entries();
  DS_TRY(reader.consumer_page_, MappedMemory::create(map.fd(), page, PROT_READ | PROT_WRITE, 0));
  // The kernel allows only read access to the producers' pages.
  DS_TRY(reader.producer_page_, MappedMemory::create(map.fd(), page + reader.size_, PROT_READ, page));
  reader.data_ = reader.producer_page_.data() + page;
  return reader;
}

std::span<const std::byte> RingReader::joined(uint64_t offset, uint32_t length) {
  split_.assign(data_ + offset, data_ + size_);
  split_.insert(split_.end(), data_, data_ + (offset + length - size_));
  return split_;
}

void RingReader::begin() {
  last_end_ = end_;
  current_ = published_ = position(consumer_page_);
  end_ = position(producer_page_);
}

// Skips discarded records and those without a stamp, which no program writes.
RingHead RingReader::head() {
  while (current_ != end_) {
    auto* word = reinterpret_cast<uint32_t*>(data_ + (current_ & (size_ - 1)));
    uint32_t header = std::atomic_ref<uint32_t>{*word}.load(std::memory_order_acquire);
    if (header & BPF_RINGBUF_BUSY_BIT) return RingHead::Busy;
    length_ = header & ~BPF_RINGBUF_DISCARD_BIT;
    if (!(header & BPF_RINGBUF_DISCARD_BIT) && length_ >= stamp_size) return RingHead::Record;
    pop();
  }
  return RingHead::None;
}

// Records are aligned to 8 bytes, so that the stamp does not wrap around.
uint64_t RingReader::time() const {
  uint64_t time = 0;
  std::memcpy(&time, data_ + ((current_ + BPF_RINGBUF_HDR_SZ) & (size_ - 1)), sizeof time);
  return time;
}

void RingReader::pop() {
  current_ += (Position{length_} + BPF_RINGBUF_HDR_SZ + 7) / 8 * 8;
  if (current_ - published_ >= size_ / 16) publish(published_ = current_);
}

void RingReader::finish() {
  if (current_ != published_) publish(published_ = current_);
}

}  // namespace dscope
