#include "runtime/elf/frame_functions.h"

#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/byte_cursor.h"
#include "runtime/elf/frame_entries.h"
#include "runtime/elf/range_index.h"

namespace dscope {

namespace {

// Whether the code begins with a frame other than the one that a call instruction leaves.
bool begins_with_frame(ByteCursor instructions, unsigned word_size) {
  while (!instructions.is_at_end()) {
    uint8_t operation = instructions.byte();
    switch (operation) {
      case DW_CFA_nop: break;
      case DW_CFA_undefined:
      case DW_CFA_GNU_args_size: instructions.leb(); break;
      case DW_CFA_def_cfa_offset:
        if (instructions.leb() != word_size) return true;
        break;
      case DW_CFA_def_cfa:
      case DW_CFA_def_cfa_register:
      case DW_CFA_def_cfa_expression: return true;
      default: return (operation & 0xc0) == DW_CFA_offset;
    }
  }
  return false;
}

std::vector<FrameFunction> read_all(const FrameSection& section, FileBudget& budget) {
  std::vector<FrameFunction> functions;
  for_each_frame_entry(section, budget, [&](const FrameEntry& entry) {
    if (entry.common.is_signal_frame || !budget.take(sizeof(FrameFunction))) return;
    functions.push_back({.start = entry.start,
                         .size = entry.size,
                         .is_cold_part = begins_with_frame(ByteCursor{entry.instructions}, section.word_size)});
  });
  return functions;
}

}  // namespace

std::vector<FrameFunction> read_frame_functions(Elf* elf, FileBudget& budget) {
  std::vector<FrameFunction> functions;
  RangeIndex code;
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return functions;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr && budget.has_time();) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* text = elf_strptr(elf, names, header.sh_name);
    constexpr std::string_view stubs = ".plt", frames = ".eh_frame";
    bool is_stub = text != nullptr && std::strncmp(text, stubs.data(), stubs.size()) == 0;
    if ((header.sh_flags & SHF_EXECINSTR) != 0 && !is_stub) code.add(header.sh_addr, header.sh_size, 0);
    bool is_table = text != nullptr && std::strncmp(text, frames.data(), frames.size() + 1) == 0;
    const Elf_Data* data = is_table ? raw_section_data(section, budget) : nullptr;
    if (data == nullptr) continue;
    functions = read_all({.bytes = {static_cast<const uint8_t*>(data->d_buf), data->d_size},
                          .address = header.sh_addr,
                          .word_size = gelf_getclass(elf) == ELFCLASS32 ? 4U : 8U},
                         budget);
  }
  code.finish();
  std::erase_if(functions, [&](const FrameFunction& function) { return !code.find(function.start); });
  return functions;
}

std::optional<uint64_t> find_main(std::span<const uint8_t> start, uint64_t address) {
  constexpr uint8_t by_distance[] = {0x48, 0x8d, 0x3d}, by_address[] = {0x48, 0xc7, 0xc7};  // lea, mov to rdi
  for (size_t at = 0; at + 3 + sizeof(int32_t) <= start.size(); ++at) {
    auto matches = [&](std::span<const uint8_t> bytes) { return std::ranges::equal(start.subspan(at, 3), bytes); };
    bool is_distance = matches(by_distance);
    if (!is_distance && !matches(by_address)) continue;
    int32_t number = 0;
    std::memcpy(&number, start.data() + at + 3, sizeof number);
    uint64_t base = is_distance ? address + at + 3 + sizeof number : 0;
    return base + static_cast<uint64_t>(int64_t{number});
  }
  return std::nullopt;
}

}  // namespace dscope
