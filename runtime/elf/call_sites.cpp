// The scan tries every byte as the start of an instruction instead of disassembling: four random bytes are practically
// never the exact distance to one of a few functions.
#include "runtime/elf/call_sites.h"

#include <elf.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/elf/bounded_elf.h"

namespace dscope {

namespace {

constexpr uint8_t call = 0xe8, jump = 0xe9;
constexpr size_t instruction_size = 5;

// Part of a segment. One byte before it and some behind it are there as well, because instructions cross its ends.
struct Piece {
  std::span<const uint8_t> bytes;
  size_t begin, end;  // indexes in `bytes` of where instructions may begin
  uint64_t position;  // of `bytes` in the segment
};

// `functions`: sorted.
void search(const Piece& piece, const GElf_Phdr& segment, std::span<const uint64_t> functions,
            std::vector<CallSite>& sites) {
  // Linkers pad a call that became shorter with a prefix.
  auto is_filler = [](uint8_t byte) { return byte == 0x67 || byte == 0xf2; };
  std::span<const uint8_t> code = piece.bytes;
  for (size_t at = piece.begin; at < piece.end && at + instruction_size <= code.size(); ++at) {
    if (code[at] != call && code[at] != jump) continue;
    int32_t distance = 0;
    std::memcpy(&distance, code.data() + at + 1, sizeof distance);
    uint64_t position = piece.position + at;
    uint64_t target = segment.p_vaddr + position + instruction_size + static_cast<uint64_t>(int64_t{distance});
    if (!std::ranges::binary_search(functions, target)) continue;
    if (at > 0 && is_filler(code[at - 1])) --position;
    sites.push_back({.target = target,
                     .address = segment.p_vaddr + position,
                     .offset = segment.p_offset + position,
                     .is_jump = code[at] == jump});
  }
}

void search_segment(int fd, const GElf_Phdr& segment, std::span<const uint64_t> functions, FileBudget& budget,
                    std::vector<CallSite>& sites) {
  constexpr size_t piece_size = size_t{1} << 20;
  std::vector<uint8_t> buffer(1 + piece_size + instruction_size - 1);
  for (uint64_t at = 0; at < segment.p_filesz; at += piece_size) {
    size_t begin = at > 0 ? 1 : 0;
    uint64_t position = at - begin;
    size_t wanted = std::min<uint64_t>(buffer.size(), segment.p_filesz - position);
    ssize_t got = ::pread(fd, buffer.data(), wanted, static_cast<off_t>(segment.p_offset + position));
    if (got <= 0 || !budget.take(static_cast<uint64_t>(got)) || !budget.check_clock()) return;
    size_t known = sites.size();
    search({.bytes = std::span{buffer}.first(static_cast<size_t>(got)),
            .begin = begin,
            .end = begin + piece_size,
            .position = position},
           segment, functions, sites);
    if (!budget.take((sites.size() - known) * sizeof(CallSite))) return;
  }
}

}  // namespace

std::vector<CallSite> find_call_sites(int fd, std::span<const uint64_t> functions) {
  std::vector<CallSite> sites;
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return sites;
  std::vector<uint64_t> sorted(functions.begin(), functions.end());
  std::ranges::sort(sorted);
  for (size_t i = 0; i < count && budget.has_time(); ++i) {
    GElf_Phdr segment;
    bool is_code = gelf_getphdr(elf.get(), static_cast<int>(i), &segment) != nullptr && segment.p_type == PT_LOAD &&
                   (segment.p_flags & PF_X) != 0;
    if (is_code) search_segment(fd, segment, sorted, budget, sites);
  }
  if (budget.is_used_up()) sites.clear();
  return sites;
}

}  // namespace dscope
