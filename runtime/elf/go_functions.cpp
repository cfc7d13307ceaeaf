#include "runtime/elf/go_functions.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/byte_cursor.h"

namespace dscope {

namespace {

enum class Layout : uint8_t { Go12, Go116, Go118 };

std::optional<Layout> layout_of(uint32_t mark) {
  switch (mark) {
    case 0xfffffffb: return Layout::Go12;
    case 0xfffffffa: return Layout::Go116;
    case 0xfffffff0:                        // 1.18
    case 0xfffffff1: return Layout::Go118;  // 1.20; the same for our purpose
    default: return std::nullopt;
  }
}

// The parts of a table, as the header states them.
struct Parts {
  Layout layout{};
  bool has_lines = false;  // records also state the line of the function: 1.20 and later
  unsigned word_size = 8;
  uint64_t count = 0;                                  // of functions
  uint64_t text_start = 0;                             // added to addresses (Go118)
  std::span<const uint8_t> names, functions, records;  // records: what offsets of functions start from
};

class TableReader {
 public:
  TableReader(std::span<const uint8_t> bytes, uint64_t begin, uint64_t end, FileBudget& budget)
      : bytes_(bytes), begin_(begin), end_(end), budget_(budget) {}

  std::vector<GoFunction> read(bool& passes_registers) {
    auto parts = read_header();
    if (!parts) return {};
    passes_registers = parts->layout == Layout::Go118;
    if (auto functions = read_functions(*parts)) return std::move(*functions);
    return {};
  }

 private:
  std::optional<Parts> read_header() {
    ByteCursor cursor{bytes_};
    constexpr uint32_t mark_with_lines = 0xfffffff1;
    auto mark = cursor.number<uint32_t>();
    auto layout = layout_of(mark);
    bool is_padded = cursor.number<uint16_t>() == 0;
    uint8_t quantum = cursor.byte(), word_size = cursor.byte();
    bool is_known = layout && is_padded && (quantum == 1 || quantum == 2 || quantum == 4) && word_size == 8;
    if (!is_known) return std::nullopt;
    Parts parts{.layout = *layout,
                .has_lines = mark == mark_with_lines,
                .word_size = word_size,
                .count = cursor.number<uint64_t>()};
    if (*layout == Layout::Go12) {
      parts.names = parts.records = bytes_;
      parts.functions = bytes_.subspan(std::min(cursor.at(), bytes_.size()));
      return parts;
    }
    cursor.skip(word_size);  // number of files
    // Position-independent programs have no address here before they are relocated.
    if (*layout == Layout::Go118) parts.text_start = cursor.number<uint64_t>();
    if (parts.text_start == 0) parts.text_start = begin_;
    auto part = [&](uint64_t offset) { return bytes_.subspan(std::min<uint64_t>(offset, bytes_.size())); };
    parts.names = part(cursor.number<uint64_t>());
    cursor.skip(uint64_t{3} * word_size);  // compilation units, files, programs of numbers
    parts.functions = parts.records = part(cursor.number<uint64_t>());
    return parts;
  }

  // An entry of the function table: address, offset of the record.
  std::pair<uint64_t, uint64_t> read_entry(const Parts& parts, ByteCursor& cursor) const {
    if (parts.layout != Layout::Go118) {
      uint64_t address = cursor.number<uint64_t>();
      return {address, cursor.number<uint64_t>()};
    }
    uint64_t address = parts.text_start + cursor.number<uint32_t>();
    return {address, cursor.number<uint32_t>()};
  }

  // The name in a record, which repeats the address. Nothing for damage.
  std::optional<std::string_view> read_name(const Parts& parts, uint64_t address, uint64_t record) const {
    if (record >= parts.records.size()) return std::nullopt;
    ByteCursor cursor{parts.records, record};
    uint64_t own =
        parts.layout == Layout::Go118 ? parts.text_start + cursor.number<uint32_t>() : cursor.number<uint64_t>();
    uint32_t name = cursor.number<uint32_t>();
    if (own != address || name >= parts.names.size()) return std::nullopt;
    constexpr size_t max_length = 4096;
    std::span<const uint8_t> rest = parts.names.subspan(name, std::min(max_length, parts.names.size() - name));
    auto end = std::ranges::find(rest, uint8_t{0});
    auto is_text = [](uint8_t byte) { return byte > ' ' && byte != 0x7f; };
    // Names of generic types contain blanks.
    bool is_name =
        end != rest.end() && std::all_of(rest.begin(), end, [&](uint8_t byte) { return is_text(byte) || byte == ' '; });
    if (!is_name) return std::nullopt;
    return std::string_view{reinterpret_cast<const char*>(rest.data()), static_cast<size_t>(end - rest.begin())};
  }

  // A flag in the record.
  static bool is_assembler(const Parts& parts, uint64_t record) {
    constexpr uint8_t flag = 4;
    if (parts.layout != Layout::Go118) return false;
    // Before it: nine or ten words, the first two of which are the address and the name, and the kind of the function.
    ByteCursor cursor{parts.records, record + (parts.has_lines ? 10 : 9) * sizeof(uint32_t) + 1};
    return (cursor.byte() & flag) != 0;
  }

  std::optional<std::vector<GoFunction>> read_functions(const Parts& parts) {
    uint64_t entry_size = parts.layout == Layout::Go118 ? 8 : 16;
    if (parts.count >= parts.functions.size() / entry_size) return std::nullopt;
    if (!budget_.take(parts.count * sizeof(GoFunction))) return std::nullopt;
    std::vector<GoFunction> functions;
    ByteCursor cursor{parts.functions};
    for (uint64_t i = 0; i < parts.count && budget_.has_time(); ++i) {
      auto [address, record] = read_entry(parts, cursor);
      if (address < begin_ || address >= end_) return std::nullopt;
      auto name = read_name(parts, address, record);
      if (!name || (!functions.empty() && address <= functions.back().start)) return std::nullopt;
      if (!functions.empty()) functions.back().size = address - functions.back().start;
      functions.push_back({.start = address, .size = 0, .name = *name, .is_assembler = is_assembler(parts, record)});
    }
    uint64_t end = read_entry(parts, cursor).first;  // of the last function; its record is not read
    if (functions.empty() || end <= functions.back().start || end > end_) return std::nullopt;
    functions.back().size = end - functions.back().start;
    return functions;
  }

  std::span<const uint8_t> bytes_;
  uint64_t begin_, end_;
  FileBudget& budget_;
};

bool is_go_table(const char* name) {
  return std::strcmp(name, ".gopclntab") == 0 || std::strcmp(name, ".data.rel.ro.gopclntab") == 0;
}

}  // namespace

GoTable parse_go_table(std::span<const uint8_t> bytes, uint64_t begin, uint64_t end, FileBudget& budget) {
  GoTable table;
  table.is_go = true;
  table.functions = TableReader{bytes, begin, end, budget}.read(table.passes_registers);
  if (table.functions.empty() || budget.is_used_up()) return {.is_go = true};
  // The table also has marks of the linker, which are no functions.
  std::erase_if(table.functions, [](const GoFunction& function) { return function.name.empty(); });
  return table;
}

std::string parse_go_version(std::span<const uint8_t> bytes) {
  constexpr std::string_view mark = "\xff Go buildinf:";
  constexpr size_t flags_offset = 15, text_offset = 32, max_version = 64;
  constexpr uint8_t has_text = 2;
  std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  bool is_known = text.starts_with(mark) && text.size() > text_offset && (bytes[flags_offset] & has_text) != 0;
  // One byte holds lengths below 128.
  size_t length = is_known ? bytes[text_offset] : 0;
  if (length == 0 || length > max_version || length >= text.size() - text_offset) return {};
  return std::string{text.substr(text_offset + 1, length)};
}

GoTable read_go_functions(Elf* elf, FileBudget& budget) {
  const Elf_Data *data = nullptr, *information = nullptr;
  uint64_t begin = 0, end = 0;
  size_t names = 0;
  if (gelf_getclass(elf) != ELFCLASS64 || elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr && budget.has_time();) {
    GElf_Shdr header;
    const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
    if (name == nullptr) continue;
    if (std::strcmp(name, ".text") == 0) {
      begin = header.sh_addr;
      end = header.sh_addr + header.sh_size;
    }
    if (data == nullptr && is_go_table(name)) data = raw_section_data(section, budget);
    if (std::strcmp(name, ".go.buildinfo") == 0) information = raw_section_data(section, budget);
  }
  if (data == nullptr || end <= begin) return {};
  auto bytes_of = [](const Elf_Data& of) { return std::span{static_cast<const uint8_t*>(of.d_buf), of.d_size}; };
  GoTable table = parse_go_table(bytes_of(*data), begin, end, budget);
  if (information != nullptr) table.version = parse_go_version(bytes_of(*information));
  return table;
}

bool is_go_program(int fd) {
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr && budget.has_time();) {
    GElf_Shdr header;
    const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf.get(), names, header.sh_name) : nullptr;
    if (name != nullptr && is_go_table(name)) return true;
  }
  return false;
}

}  // namespace dscope
