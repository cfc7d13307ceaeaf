// The part of ProcessFunctions that checks the places of static probes. A note may state any address: a breakpoint
// inside an instruction changes what the program does.
#include <sys/stat.h>

#include <algorithm>

#include "runtime/providers/process/process_functions.h"

namespace dscope {
namespace {

constexpr uint64_t longest_instruction = 15;
constexpr uint64_t max_function = uint64_t{1} << 20;  // bytes to decode

}  // namespace

std::optional<uid_t> ProcessFunctions::owner(size_t index) {
  struct stat status{};
  return ::fstat(fd(index), &status) == 0 ? std::optional{status.st_uid} : std::nullopt;
}

bool ProcessFunctions::is_instruction(size_t index, uint64_t address, ReadCode read_code) {
  const ElfSymbols& elf = symbols(index);
  auto function = elf.find(address);
  auto begin = function ? elf.file_offset(function->start) : std::nullopt, offset = elf.file_offset(address);
  // Root's own files are believed where nothing contradicts them: assembler code may have neither symbols nor unwind
  // tables, and the decoder may be older than an instruction.
  if (!begin || !offset || *offset < *begin) return owner(index) == uid_t{0};
  uint64_t distance = *offset - *begin;
  std::span<const uint32_t> starts = instruction_starts(index, *begin, distance, read_code);
  if (starts.empty()) return owner(index) == uid_t{0};
  return std::ranges::binary_search(starts, distance);
}

// The offsets of the instructions of a function, from its first byte; at least up to the one at `distance`. Empty if
// they cannot be decoded.
std::span<const uint32_t> ProcessFunctions::instruction_starts(size_t index, uint64_t begin, uint64_t distance,
                                                               ReadCode read_code) {
  if (read_code == nullptr || distance > max_function) return {};
  std::vector<uint32_t>& starts = instruction_starts_[{index, begin}];
  if (!starts.empty() && starts.back() >= distance) return starts;
  const std::vector<ElfSymbols::Function>& all = functions(index);
  auto known = std::ranges::lower_bound(all, begin, {}, &ElfSymbols::Function::offset);
  uint64_t size = known != all.end() && known->offset == begin ? known->size : 0;
  WordSize word_size = symbols(index).is_32bit() ? WordSize::Bits32 : WordSize::Bits64;
  auto decode = [&](uint64_t end) {
    starts.clear();
    if (may_decode(index, end)) starts = read_code(read(index, begin, end), word_size).starts;
    return !starts.empty();
  };
  if (size > distance && size <= max_function && decode(size)) return starts;
  // Parts of a function may be undecodable: try up to the probe, until the last instruction is complete.
  for (uint64_t end = distance + longest_instruction; end > distance; --end)
    if (decode(end)) break;
  return starts;
}

}  // namespace dscope
