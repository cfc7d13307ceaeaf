// ByteCursor: reads numbers of foreign files from front to back. It never leaves its bytes: beyond their end all
// numbers are 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace dscope {

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const uint8_t> bytes, size_t at = 0) : bytes_(bytes), at_(std::min(at, bytes.size())) {}

  size_t at() const { return at_; }
  bool is_at_end() const { return at_ >= bytes_.size(); }
  void skip(uint64_t count) { at_ += static_cast<size_t>(std::min<uint64_t>(count, bytes_.size() - at_)); }

  template <typename Number>
  Number number() {
    Number value = 0;
    if (bytes_.size() - at_ >= sizeof value) std::memcpy(&value, bytes_.data() + at_, sizeof value);
    skip(sizeof value);
    return value;
  }
  uint8_t byte() { return number<uint8_t>(); }

  // LEB128, unsigned and signed. Bits beyond 64 are ignored.
  uint64_t leb() {
    unsigned shift = 0;
    return leb(shift);
  }
  int64_t signed_leb() {
    unsigned shift = 0;
    uint64_t value = leb(shift);
    if (shift < 64 && shift > 0 && (value >> (shift - 1) & 1) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }

  // The next `count` bytes, or those that are left.
  std::span<const uint8_t> take(uint64_t count) {
    size_t start = at_;
    skip(count);
    return bytes_.subspan(start, at_ - start);
  }

  std::string_view text() {
    const char* start = reinterpret_cast<const char*>(bytes_.data() + at_);
    std::string_view found{start, ::strnlen(start, bytes_.size() - at_)};
    skip(found.size() + 1);
    return found;
  }

 private:
  // `shift` becomes the number of bits that were read.
  uint64_t leb(unsigned& shift) {
    uint64_t value = 0;
    while (!is_at_end()) {
      uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7fU} << shift;
      shift = std::min(shift + 7, 70U);
      if ((next & 0x80) == 0) break;
    }
    return value;
  }

  std::span<const uint8_t> bytes_;
  size_t at_;
};

}  // namespace dscope
