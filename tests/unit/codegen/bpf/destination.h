// Destination buffers of string functions, and sources with random content.
#pragma once

#include "buffer.h"
#include "codegen/bpf/support.h"

namespace dscope {

// A destination of random size, and the size arguments of a call that writes to it.
struct Destination {
  explicit Destination(Random& random)
      : characters(random.below(random.chance(4) ? 600 : 40)),
        buffer(Buffer::garbage(capacity_for(characters) + 8 * random.below(3))) {}
  explicit Destination(size_t max_length) : characters(max_length), buffer(Buffer::garbage(capacity_for(max_length))) {}
  u64 sizes(const Buffer& first) const { return DS_SIZES(buffer.capacity(), characters, first.capacity(), 0); }
  u64 sizes(const Buffer& first, const Buffer& second) const {
    return DS_SIZES(buffer.capacity(), characters, first.capacity(), second.capacity());
  }
  std::string cut(const std::string& text) const { return text.substr(0, characters); }

  size_t characters;
  Buffer buffer;
};

inline Buffer random_buffer(Random& random, const std::string& alphabet = "") {
  size_t capacity = random.capacity();
  return Buffer(capacity, random.string(capacity - 1, alphabet));
}

}  // namespace dscope
