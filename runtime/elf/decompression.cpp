#include "runtime/elf/decompression.h"

#include <lzma.h>

#include <algorithm>
#include <memory>
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

// The buffer grows with the output: neither the size of the input nor a header decides how much memory is taken.
std::vector<char> decompress_xz(std::span<const std::byte> bytes, size_t max_size) {
  std::vector<char> result(std::min(max_size, size_t{1} << 16));
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, max_size, 0) != LZMA_OK) return {};
  std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> cleanup{&stream, lzma_end};
  stream.next_in = reinterpret_cast<const uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  for (size_t size = 0;;) {
    stream.next_out = reinterpret_cast<uint8_t*>(result.data() + size);
    stream.avail_out = result.size() - size;
    lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    size = result.size() - stream.avail_out;
    if (status == LZMA_STREAM_END) {
      result.resize(size);
      return result;
    }
    if (status != LZMA_OK || stream.avail_out != 0 || result.size() == max_size) return {};
    result.resize(std::min(max_size, result.size() * 2));
  }
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
