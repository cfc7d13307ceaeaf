#include "runtime/replay/native_ring.h"

namespace dscope {

Result<NativeRing> NativeRing::create(size_t capacity, Arena& arena) {
  NativeRing ring;
  DS_TRY(ring.memory_, arena.allocate(capacity));
  return ring;
}

std::byte* NativeRing::reserve(uint64_t bytes) {
  if (bytes > memory_.size() || sizeof(Header) + padded(bytes) > memory_.size() - used_) return nullptr;
  std::byte* at = memory_.data() + used_;
  *reinterpret_cast<Header*>(at) = {.bytes = static_cast<uint32_t>(bytes), .state = State::Reserved};
  used_ += sizeof(Header) + padded(bytes);
  return at + sizeof(Header);
}

}  // namespace dscope
