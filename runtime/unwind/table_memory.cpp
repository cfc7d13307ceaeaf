#include "runtime/unwind/table_memory.h"

namespace dscope {

std::optional<uint32_t> TableMemory::allocate(uint32_t count) {
  count = (count + 1) / 2 * 2;
  if (count > DS_UNWIND_CHUNK_WORDS) return std::nullopt;
  if (DS_UNWIND_CHUNK_WORDS - next_ < count) {
    if (chunks_.size() == DS_UNWIND_MAX_CHUNKS) return std::nullopt;
    std::span<uint32_t> added = add_chunk_(static_cast<uint32_t>(chunks_.size()));
    if (added.size() < DS_UNWIND_CHUNK_WORDS) return std::nullopt;
    chunks_.push_back(added);
    next_ = 0;
  }
  uint32_t location = static_cast<uint32_t>(chunks_.size() - 1) << DS_UNWIND_WORD_BITS | next_;
  next_ += count;
  used_words_ += count;
  return location;
}

std::span<uint32_t> TableMemory::at(uint32_t location, uint32_t count) {
  return chunks_[location >> DS_UNWIND_WORD_BITS].subspan(location & (DS_UNWIND_CHUNK_WORDS - 1), count);
}

}  // namespace dscope
