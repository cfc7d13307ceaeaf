#include "runtime/elf/frame_functions.h"

#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/range_index.h"

namespace dscope {

namespace {

// Reads a section, or a part of one, from front to back. Beyond the end all numbers are 0.
class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, size_t at) : bytes_(bytes), at_(std::min(at, bytes.size())) {}

  size_t at() const { return at_; }
  bool is_at_end() const { return at_ >= bytes_.size(); }
  void skip(uint64_t count) { at_ += static_cast<size_t>(std::min<uint64_t>(count, bytes_.size() - at_)); }

  template <typename Number>
  Number number() {
    Number value = 0;
    if (bytes_.size() - at_ >= sizeof value) std::memcpy(&value, bytes_.data() + at_, sizeof value);
    skip(sizeof value);
    return value;
  }
  uint8_t byte() { return number<uint8_t>(); }

  uint64_t leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; !is_at_end(); shift += 7) {
      uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7fU} << shift;
      if ((next & 0x80) == 0) break;
    }
    return value;
  }

  std::string_view text() {
    const char* start = reinterpret_cast<const char*>(bytes_.data() + at_);
    std::string_view found{start, ::strnlen(start, bytes_.size() - at_)};
    skip(found.size() + 1);
    return found;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_;
};

// A common information entry (CIE), which many functions share.
struct Common {
  uint8_t encoding = DW_EH_PE_absptr;  // of addresses
  bool has_augmentation_size = false;  // entries state the size of their augmentation data
  bool is_known = true, is_signal_frame = false;
};

struct Section {
  std::span<const uint8_t> bytes;
  uint64_t address = 0;
  unsigned word_size = 8;
};

std::optional<uint64_t> read_encoded(Reader& reader, const Section& section, uint8_t encoding) {
  uint64_t own_address = section.address + reader.at(), value = 0;
  switch (encoding & 0x0f) {
    case DW_EH_PE_absptr: value = section.word_size == 4 ? reader.number<uint32_t>() : reader.number<uint64_t>(); break;
    case DW_EH_PE_udata2: value = reader.number<uint16_t>(); break;
    case DW_EH_PE_udata4: value = reader.number<uint32_t>(); break;
    case DW_EH_PE_sdata2: value = static_cast<uint64_t>(int64_t{reader.number<int16_t>()}); break;
    case DW_EH_PE_sdata4: value = static_cast<uint64_t>(int64_t{reader.number<int32_t>()}); break;
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: value = reader.number<uint64_t>(); break;
    default: return std::nullopt;
  }
  constexpr uint8_t relation = 0x70;
  if ((encoding & relation) == DW_EH_PE_pcrel) value += own_address;
  else if ((encoding & relation) != DW_EH_PE_absptr) return std::nullopt;
  return section.word_size == 4 ? value & 0xffffffff : value;
}

Common read_common(Reader reader, const Section& section) {
  Common common;
  uint8_t version = reader.byte();
  std::string_view augmentation = reader.text();
  if (!augmentation.empty() && augmentation[0] != 'z') return {.is_known = false};
  reader.leb();                     // code alignment
  reader.leb();                     // data alignment
  if (version == 1) reader.byte();  // register of the return address
  else reader.leb();
  for (char letter : augmentation) switch (letter) {
      case 'z':
        common.has_augmentation_size = true;
        reader.leb();
        break;
      case 'R': common.encoding = reader.byte(); break;
      case 'L': reader.byte(); break;
      case 'P': {
        uint8_t encoding = reader.byte();
        if (!read_encoded(reader, section, encoding)) common.is_known = false;
        break;
      }
      case 'S': common.is_signal_frame = true; break;
      default: return common;  // the remaining data is not needed
    }
  return common;
}

// Whether the code begins with a frame other than the one that a call instruction leaves.
bool begins_with_frame(Reader instructions, unsigned word_size) {
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

std::optional<FrameFunction> read_function(Reader reader, const Section& section, const Common& common) {
  auto start = read_encoded(reader, section, common.encoding);
  constexpr uint8_t form = 0x0f;
  auto size = read_encoded(reader, section, common.encoding & form);
  if (!start || !size || *size == 0) return std::nullopt;
  if (common.has_augmentation_size) reader.skip(reader.leb());
  return FrameFunction{.start = *start, .size = *size, .is_cold_part = begins_with_frame(reader, section.word_size)};
}

std::vector<FrameFunction> read_all(const Section& section, FileBudget& budget) {
  std::vector<FrameFunction> functions;
  std::unordered_map<size_t, Common> commons;
  for (Reader reader{section.bytes, 0}; !reader.is_at_end() && budget.has_time();) {
    uint64_t length = reader.number<uint32_t>();
    if (length == 0xffffffff) length = reader.number<uint64_t>();
    if (length == 0) break;
    size_t begin = reader.at();
    reader.skip(length);
    std::span<const uint8_t> up_to_end = section.bytes.first(reader.at());
    Reader entry{up_to_end, begin};
    uint32_t back = entry.number<uint32_t>();
    if (back == 0) {
      commons[begin] = read_common(entry, section);
      continue;
    }
    // The entry refers to the start of its CIE, which is the length: four bytes unless the table exceeds 4 GiB.
    auto common = commons.find(begin - back + sizeof(uint32_t));
    if (common == commons.end() || !common->second.is_known || common->second.is_signal_frame) continue;
    auto function = read_function(entry, section, common->second);
    if (function && budget.take(sizeof *function)) functions.push_back(*function);
  }
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
