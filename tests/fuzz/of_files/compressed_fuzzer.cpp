// Compressed symbols and facts files: never more output than the limit.
#include <cstddef>
#include <cstdint>

#include "runtime/elf/decompression.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t max_size = 1 << 16;
  std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
  DS_CHECK(dscope::decompress_xz(bytes, max_size).size() <= max_size);
  DS_CHECK(dscope::decompress_zstd(bytes, max_size).size() <= max_size);
  return 0;
}
