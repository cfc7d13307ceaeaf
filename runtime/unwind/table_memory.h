// TableMemory: the memory of BPF programs that unwind stacks, in chunks that are added on demand
// (contract/stacks/unwind_format.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "contract/stacks/unwind_format.h"

namespace dscope {

class TableMemory {
 public:
  // `add_chunk` makes chunk `number` visible to programs and returns its DS_UNWIND_CHUNK_WORDS words, which must
  // outlive this object; empty if there is no memory for it.
  explicit TableMemory(std::function<std::span<uint32_t>(uint32_t number)> add_chunk)
      : add_chunk_(std::move(add_chunk)) {}

  // Returns the location of `count` words within one chunk, at an even word; nothing if there is no memory.
  std::optional<uint32_t> allocate(uint32_t count);
  // The memory at a location that allocate() returned. `count` as in that call.
  std::span<uint32_t> at(uint32_t location, uint32_t count);
  // Bytes that are allocated.
  uint64_t used_bytes() const { return used_words_ * 4; }
  uint64_t chunk_bytes() const { return uint64_t{chunks_.size()} * DS_UNWIND_CHUNK_BYTES; }

 private:
  std::function<std::span<uint32_t>(uint32_t)> add_chunk_;
  std::vector<std::span<uint32_t>> chunks_;
  uint32_t next_ = DS_UNWIND_CHUNK_WORDS;  // free word of the last chunk
  uint64_t used_words_ = 0;
};

}  // namespace dscope
