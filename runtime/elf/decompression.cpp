#include "runtime/elf/decompression.h"

#include <lzma.h>

#include <algorithm>
#include <optional>

#include "support/shared_library.h"

namespace dscope {

namespace {

// libzstd is opened at the first use: few files need it, and it may not be installed.
struct Zstd {
  size_t (*decompress)(void* to, size_t size, const void* from, size_t length) = nullptr;
  unsigned long long (*content_size)(const void* from, size_t length) = nullptr;
  unsigned (*is_error)(size_t result) = nullptr;
  // The simple functions to compress write no checksum.
  void* (*create_compressor)() = nullptr;
  size_t (*set_parameter)(void* compressor, int parameter, int value) = nullptr;
  size_t (*compress)(void* compressor, void* to, size_t size, const void* from, size_t length) = nullptr;
  size_t (*compress_bound)(size_t length) = nullptr;
  size_t (*free_compressor)(void* compressor) = nullptr;
};

const Zstd* find_zstd() {
  static const std::optional<Zstd> library = []() -> std::optional<Zstd> {
    static SharedLibrary file{"libzstd.so.1"};
    Zstd found;
    if (!file || !file.resolve("ZSTD_decompress", found.decompress) || !file.resolve("ZSTD_isError", found.is_error) ||
        !file.resolve("ZSTD_getFrameContentSize", found.content_size) ||
        !file.resolve("ZSTD_createCCtx", found.create_compressor) ||
        !file.resolve("ZSTD_CCtx_setParameter", found.set_parameter) ||
        !file.resolve("ZSTD_compress2", found.compress) || !file.resolve("ZSTD_compressBound", found.compress_bound) ||
        !file.resolve("ZSTD_freeCCtx", found.free_compressor))
      return std::nullopt;
    return found;
  }();
  return library ? &*library : nullptr;
}

}  // namespace

std::vector<char> decompress_xz(std::span<const std::byte> bytes, size_t max_size) {
  std::vector<char> result(std::max(bytes.size() * 8, size_t{1} << 16));
  for (; result.size() <= max_size; result.resize(result.size() * 2)) {
    uint64_t memory_limit = max_size;
    size_t in = 0, out = 0;
    lzma_ret status =
        lzma_stream_buffer_decode(&memory_limit, 0, nullptr, reinterpret_cast<const uint8_t*>(bytes.data()), &in,
                                  bytes.size(), reinterpret_cast<uint8_t*>(result.data()), &out, result.size());
    if (status == LZMA_OK) {
      result.resize(out);
      return result;
    }
    if (status != LZMA_BUF_ERROR) return {};
  }
  return {};
}

std::vector<char> decompress_zstd(std::span<const std::byte> bytes, size_t max_size) {
  const Zstd* zstd = find_zstd();
  // ZSTD_getFrameContentSize returns errors as sizes close to the maximum.
  unsigned long long size = zstd == nullptr ? 0 : zstd->content_size(bytes.data(), bytes.size());
  if (size > max_size) return {};
  std::vector<char> result(size);
  if (!decompress_zstd(bytes, std::as_writable_bytes(std::span{result}))) return {};
  return result;
}

std::vector<char> compress_zstd(std::span<const std::byte> bytes) {
  constexpr int compression_level = 100, checksum_flag = 201;  // ZSTD_cParameter
  const Zstd* zstd = find_zstd();
  if (zstd == nullptr) return {};
  std::unique_ptr<void, void (*)(void*)> compressor{zstd->create_compressor(),
                                                    [](void* made) { find_zstd()->free_compressor(made); }};
  zstd->set_parameter(compressor.get(), compression_level, 9);
  zstd->set_parameter(compressor.get(), checksum_flag, 1);
  std::vector<char> result(zstd->compress_bound(bytes.size()));
  size_t size = zstd->compress(compressor.get(), result.data(), result.size(), bytes.data(), bytes.size());
  if (zstd->is_error(size) != 0) return {};
  result.resize(size);
  return result;
}

bool decompress_zstd(std::span<const std::byte> bytes, std::span<std::byte> to) {
  const Zstd* zstd = find_zstd();
  if (zstd == nullptr) return false;
  size_t size = zstd->decompress(to.data(), to.size(), bytes.data(), bytes.size());
  return zstd->is_error(size) == 0 && size == to.size();
}

}  // namespace dscope
