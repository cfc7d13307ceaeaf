#include "runtime/elf/frame_entries.h"

#include <dwarf.h>

#include <optional>
#include <unordered_map>

#include "runtime/elf/byte_cursor.h"

namespace dscope {

namespace {

std::optional<uint64_t> read_encoded(ByteCursor& cursor, const FrameSection& section, uint8_t encoding) {
  uint64_t own_address = section.address + cursor.at(), value = 0;
  switch (encoding & 0x0f) {
    case DW_EH_PE_absptr: value = section.word_size == 4 ? cursor.number<uint32_t>() : cursor.number<uint64_t>(); break;
    case DW_EH_PE_udata2: value = cursor.number<uint16_t>(); break;
    case DW_EH_PE_udata4: value = cursor.number<uint32_t>(); break;
    case DW_EH_PE_sdata2: value = static_cast<uint64_t>(int64_t{cursor.number<int16_t>()}); break;
    case DW_EH_PE_sdata4: value = static_cast<uint64_t>(int64_t{cursor.number<int32_t>()}); break;
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: value = cursor.number<uint64_t>(); break;
    default: return std::nullopt;
  }
  constexpr uint8_t relation = 0x70;
  if ((encoding & relation) == DW_EH_PE_pcrel) value += own_address;
  else if ((encoding & relation) != DW_EH_PE_absptr) return std::nullopt;
  return section.word_size == 4 ? value & 0xffffffff : value;
}

// Reads the data that the augmentation letters announce.
void read_augmentation(std::string_view letters, ByteCursor& cursor, const FrameSection& section, FrameCommon& common) {
  for (char letter : letters) switch (letter) {
      case 'z': common.has_augmentation_size = true; break;
      case 'R': common.encoding = cursor.byte(); break;
      case 'L': cursor.byte(); break;
      case 'P': {
        uint8_t encoding = cursor.byte();
        if (!read_encoded(cursor, section, encoding)) common.is_known = false;
        break;
      }
      case 'S': common.is_signal_frame = true; break;
      default: return;  // the remaining data is not needed
    }
}

// `cursor` is behind the number that marks the entry as common, `end` is the end of the entry.
FrameCommon read_common(ByteCursor cursor, size_t end, const FrameSection& section) {
  FrameCommon common;
  uint8_t version = cursor.byte();
  std::string_view letters = cursor.text();
  if (!letters.empty() && letters[0] != 'z') return {.is_known = false};
  common.code_alignment = cursor.leb();
  common.data_alignment = cursor.signed_leb();
  common.return_register = version == 1 ? cursor.byte() : cursor.leb();
  size_t size = letters.empty() ? 0 : cursor.leb();
  size_t data = cursor.at();
  read_augmentation(letters, cursor, section, common);
  ByteCursor instructions{section.bytes.first(end), data};
  instructions.skip(size);
  common.instructions = instructions.take(end);
  return common;
}

std::optional<FrameEntry> read_entry(ByteCursor cursor, size_t end, const FrameSection& section,
                                     const FrameCommon& common) {
  auto start = read_encoded(cursor, section, common.encoding);
  constexpr uint8_t form = 0x0f;
  auto size = read_encoded(cursor, section, common.encoding & form);
  if (!start || !size || *size == 0) return std::nullopt;
  if (common.has_augmentation_size) cursor.skip(cursor.leb());
  return FrameEntry{.start = *start, .size = *size, .instructions = cursor.take(end), .common = common};
}

}  // namespace

void for_each_frame_entry(const FrameSection& section, FileBudget& budget,
                          const std::function<void(const FrameEntry&)>& visit) {
  std::unordered_map<size_t, FrameCommon> commons;
  for (ByteCursor cursor{section.bytes}; !cursor.is_at_end() && budget.has_time();) {
    uint64_t length = cursor.number<uint32_t>();
    if (length == 0xffffffff) length = cursor.number<uint64_t>();
    if (length == 0) break;
    size_t begin = cursor.at();
    cursor.skip(length);
    size_t end = cursor.at();
    ByteCursor entry{section.bytes.first(end), begin};
    uint32_t back = entry.number<uint32_t>();
    if (back == 0) {
      if (!budget.take(sizeof(FrameCommon))) return;
      commons.insert_or_assign(begin, read_common(entry, end, section));
      continue;
    }
    // The entry refers to the start of its CIE, which is the length: four bytes unless the table exceeds 4 GiB.
    auto common = commons.find(begin - back + sizeof(uint32_t));
    if (common == commons.end() || !common->second.is_known) continue;
    if (auto found = read_entry(entry, end, section, common->second)) visit(*found);
  }
}

}  // namespace dscope
