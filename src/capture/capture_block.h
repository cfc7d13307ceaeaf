// The blocks of a capture file: a header of fixed size with checksums, and compressed content. A file is a line that
// names its kind and version, and blocks up to its end. Each block is complete in itself, so that a file that was cut
// off or damaged holds everything before the damage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

inline constexpr std::string_view capture_magic = "dscope capture 1\n";
inline constexpr uint32_t capture_version = 1;
inline constexpr std::string_view capture_family = "dscope capture ";  // of all versions
// Limits of a block: a damaged or malicious header must not cost more memory.
inline constexpr uint32_t max_block_content = 256U << 20;  // bytes
inline constexpr uint32_t max_block_events = 1U << 20;

enum class BlockType : uint32_t {
  Start = 1,   // begins a recording: the machine, the probes, their types
  Events = 2,  // events, with the threads, stacks and strings that they refer to
  Tables = 3,  // symbols, objects and losses, as far as they are known
  End = 4,     // the recording ended properly
  Facts = 5,   // a facts file (option record=types)
};

struct BlockHeader {
  BlockType type{};
  uint32_t stored_size = 0;   // bytes that follow the header
  uint32_t content_size = 0;  // bytes after decompression
  uint32_t event_count = 0;
  uint64_t first_time = 0, last_time = 0;  // of events: CLOCK_MONOTONIC, nanoseconds
  uint32_t checksum = 0;                   // CRC-32 of the stored bytes
};
inline constexpr size_t block_header_size = 48;  // bytes in the file

// Compresses the content; `header` needs `type`, `event_count` and the times. Returns the header and the stored bytes.
std::string seal_block(BlockHeader header, std::string_view content);
// Nullopt if these block_header_size bytes are no header, or exceed the limits.
std::optional<BlockHeader> parse_block_header(std::string_view bytes);
// The content of a block. Fails if the checksum is wrong or the content cannot be decompressed.
Result<std::string> open_block(const BlockHeader& header, std::string_view stored);

}  // namespace dscope
