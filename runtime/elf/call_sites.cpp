// The scan tries every byte as the start of an instruction instead of disassembling: four random bytes are practically
// never the exact distance to one of a few functions.
#include "runtime/elf/call_sites.h"

#include <elf.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/elf/debug_files.h"

namespace dscope {

namespace {

constexpr uint8_t call = 0xe8, jump = 0xe9;
constexpr size_t instruction_size = 5;

void search(std::span<const uint8_t> code, const GElf_Phdr& segment, std::span<const uint64_t> functions,
            std::vector<CallSite>& sites) {
  // Linkers pad a call that became shorter with a prefix.
  auto is_filler = [](uint8_t byte) { return byte == 0x67 || byte == 0xf2; };
  for (size_t at = 0; at + instruction_size <= code.size(); ++at) {
    if (code[at] != call && code[at] != jump) continue;
    int32_t distance = 0;
    std::memcpy(&distance, code.data() + at + 1, sizeof distance);
    uint64_t target = segment.p_vaddr + at + instruction_size + static_cast<uint64_t>(int64_t{distance});
    if (std::find(functions.begin(), functions.end(), target) == functions.end()) continue;
    size_t begin = at > 0 && is_filler(code[at - 1]) ? at - 1 : at;
    sites.push_back({.target = target,
                     .address = segment.p_vaddr + begin,
                     .offset = segment.p_offset + begin,
                     .is_jump = code[at] == jump});
  }
}

}  // namespace

std::vector<CallSite> find_call_sites(int fd, std::span<const uint64_t> functions) {
  std::vector<CallSite> sites;
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return sites;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    bool is_code = gelf_getphdr(elf.get(), static_cast<int>(i), &segment) != nullptr && segment.p_type == PT_LOAD &&
                   (segment.p_flags & PF_X) != 0;
    constexpr uint64_t max_code = uint64_t{1} << 30;
    if (!is_code || segment.p_filesz > max_code) continue;
    std::vector<uint8_t> code(segment.p_filesz);
    ssize_t got = ::pread(fd, code.data(), code.size(), static_cast<off_t>(segment.p_offset));
    if (got > 0) search(std::span{code}.first(static_cast<size_t>(got)), segment, functions, sites);
  }
  return sites;
}

}  // namespace dscope
