// What xz and zstd have compressed: symbols and types in files of programs, libraries and modules of the kernel.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dscope {

// Empty if the bytes are damaged, would become more than `most`, or the library for them is not installed (zstd).
std::vector<char> decompress_xz(std::span<const std::byte> bytes, size_t most);
std::vector<char> decompress_zstd(std::span<const std::byte> bytes, size_t most);
// Whether they have become exactly what `to` has room for.
bool decompress_zstd(std::span<const std::byte> bytes, std::span<std::byte> to);

}  // namespace dscope
