// Decompression of xz and zstd data: symbols and types in programs, libraries and kernel modules, facts files.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dscope {

// The decompressed bytes. Empty if the input is damaged, if the output would exceed `max_size` bytes, or, for zstd, if
// libzstd is not installed.
std::vector<char> decompress_xz(std::span<const std::byte> bytes, size_t max_size);
std::vector<char> decompress_zstd(std::span<const std::byte> bytes, size_t max_size);
// With the checksum of the content. Empty if libzstd is not installed.
std::vector<char> compress_zstd(std::span<const std::byte> bytes);
// Decompresses into `to`. False unless the output fills `to` exactly.
bool decompress_zstd(std::span<const std::byte> bytes, std::span<std::byte> to);

}  // namespace dscope
