// Numbers of variable length: seven bits a byte, the lowest first; signed ones alternate, 0 -1 1 -2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dscope {

inline void append_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

inline uint64_t to_zigzag(uint64_t value) {
  return (value << 1) ^ static_cast<uint64_t>(static_cast<int64_t>(value) >> 63);
}
inline uint64_t from_zigzag(uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

// Reads from bytes of the caller. After a failure it returns zeros.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  uint64_t next() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) return static_cast<unsigned char>(*at_++);
    return next_long();
  }
  // The next bytes; empty if there are fewer.
  std::string_view bytes(uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    std::string_view result{at_, static_cast<size_t>(size)};
    at_ += size;
    return result;
  }
  uint64_t left() const { return static_cast<uint64_t>(end_ - at_); }
  bool has_failed() const { return has_failed_; }
  void fail() {
    has_failed_ = true;
    at_ = end_;
  }

 private:
  uint64_t next_long() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
      auto byte = static_cast<unsigned char>(*at_++);
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  const char* at_;
  const char* end_;
  bool has_failed_ = false;
};

}  // namespace dscope
