#include "capture/capture_block.h"

#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <memory>

#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t block_magic = 0x42435344;  // "DSCB"
constexpr int compression_level = 3;

struct StoredHeader {
  uint32_t magic, type, stored_size, content_size, event_count, checksum;
  uint64_t first_time, last_time;
  uint32_t reserved;
  uint32_t header_checksum;  // CRC-32 of the bytes before it
};
static_assert(sizeof(StoredHeader) == block_header_size);

uint32_t crc_of(const void* data, size_t size) {
  return static_cast<uint32_t>(crc32_z(0, static_cast<const Bytef*>(data), size));
}

// Compressing many blocks with one context saves its allocation.
ZSTD_CCtx* compressor() {
  static const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context{ZSTD_createCCtx(), ZSTD_freeCCtx};
  return context.get();
}

}  // namespace

std::string seal_block(BlockHeader header, std::string_view content) {
  DS_CHECK(content.size() <= max_block_content);
  std::string bytes(block_header_size + ZSTD_compressBound(content.size()), '\0');
  char* data = bytes.data() + block_header_size;
  size_t size = ZSTD_compressCCtx(compressor(), data, bytes.size() - block_header_size, content.data(), content.size(),
                                  compression_level);
  DS_CHECK(ZSTD_isError(size) == 0);
  bytes.resize(block_header_size + size);
  StoredHeader stored{.magic = block_magic,
                      .type = static_cast<uint32_t>(header.type),
                      .stored_size = static_cast<uint32_t>(size),
                      .content_size = static_cast<uint32_t>(content.size()),
                      .event_count = header.event_count,
                      .checksum = crc_of(data, size),
                      .first_time = header.first_time,
                      .last_time = header.last_time,
                      .reserved = 0,
                      .header_checksum = 0};
  stored.header_checksum = crc_of(&stored, offsetof(StoredHeader, header_checksum));
  std::memcpy(bytes.data(), &stored, sizeof stored);
  return bytes;
}

std::optional<BlockHeader> parse_block_header(std::string_view bytes) {
  StoredHeader stored;
  if (bytes.size() < sizeof stored) return std::nullopt;
  std::memcpy(&stored, bytes.data(), sizeof stored);
  bool is_header =
      stored.magic == block_magic && stored.header_checksum == crc_of(&stored, offsetof(StoredHeader, header_checksum));
  if (!is_header || stored.content_size > max_block_content || stored.event_count > max_block_events)
    return std::nullopt;
  // Types of later releases are skipped.
  return BlockHeader{.type = static_cast<BlockType>(stored.type),
                     .stored_size = stored.stored_size,
                     .content_size = stored.content_size,
                     .event_count = stored.event_count,
                     .first_time = stored.first_time,
                     .last_time = stored.last_time,
                     .checksum = stored.checksum};
}

Result<std::string> open_block(const BlockHeader& header, std::string_view stored) {
  if (stored.size() != header.stored_size) return fail(Error("a block is cut off"));
  if (crc_of(stored.data(), stored.size()) != header.checksum) return fail(Error("the checksum of a block is wrong"));
  std::string content(header.content_size, '\0');
  size_t size = ZSTD_decompress(content.data(), content.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) != 0 || size != content.size()) return fail(Error("a block cannot be decompressed"));
  return content;
}

}  // namespace dscope
