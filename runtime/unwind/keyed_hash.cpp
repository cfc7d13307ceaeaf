#include "runtime/unwind/keyed_hash.h"

#include <bit>
#include <cstring>

namespace dscope {

namespace {

struct State {
  uint64_t a, b, c, d;

  void mix() {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }

  void add(uint64_t word) {
    d ^= word;
    mix();
    mix();
    a ^= word;
  }
};

}  // namespace

uint64_t keyed_hash(const std::array<uint64_t, 2>& key, std::span<const uint8_t> bytes) {
  State state{.a = key[0] ^ 0x736f6d6570736575,
              .b = key[1] ^ 0x646f72616e646f6d,
              .c = key[0] ^ 0x6c7967656e657261,
              .d = key[1] ^ 0x7465646279746573};
  size_t at = 0;
  for (uint64_t word = 0; bytes.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    state.add(word);
  }
  uint64_t last = uint64_t{bytes.size()} << 56;
  for (unsigned shift = 0; at < bytes.size(); ++at, shift += 8) last |= uint64_t{bytes[at]} << shift;
  state.add(last);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i) state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace dscope
