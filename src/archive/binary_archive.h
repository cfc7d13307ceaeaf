// Archives for input that anyone may have written: false sizes cost no memory.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "support/byte_archive.h"

namespace dscope {

// Texts: the size, then the bytes. Reading grows the text with the bytes that the input has.
inline void CEREAL_SAVE_FUNCTION_NAME(ByteOutput& archive, const std::string& text) {
  archive(cereal::make_size_tag(static_cast<cereal::size_type>(text.size())),
          cereal::binary_data(text.data(), text.size()));
}
inline void CEREAL_LOAD_FUNCTION_NAME(ByteInput& archive, std::string& text) {
  cereal::size_type left = 0;
  archive(cereal::make_size_tag(left));
  text.clear();
  std::array<char, 4096> piece;
  while (left > 0) {
    size_t count = std::min<cereal::size_type>(left, piece.size());
    archive(cereal::binary_data(piece.data(), count));
    text.append(piece.data(), count);
    left -= count;
  }
}

// Other values than 0 and 1 are no bool.
inline void CEREAL_LOAD_FUNCTION_NAME(ByteInput& archive, bool& value) {
  uint8_t byte = 0;
  archive(byte);
  if (byte > 1) throw cereal::Exception("a truth value is " + std::to_string(byte));
  value = byte != 0;
}

}  // namespace dscope
