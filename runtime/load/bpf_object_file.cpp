// Reads the ELF structures by copying them out of the byte range after a bounds check: the image need not be aligned.
#include "runtime/load/bpf_object_file.h"

#include <elf.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>

namespace dscope {
namespace {

constexpr uint16_t elf_machine_bpf = 247;

Error damaged_object(std::string_view what) { return Error::make("the BPF object is damaged: {}", what); }

}  // namespace

class ObjectReader {
 public:
  explicit ObjectReader(std::span<const char> bytes) : image_(std::as_bytes(bytes)) {}

  Result<BpfObjectFile> read() {
    DS_TRY_VOID(read_header());
    DS_TRY_VOID(read_sections());
    DS_TRY_VOID(read_symbols());
    for (uint32_t i = 1; i < headers_.size(); ++i) {
      if (headers_[i].sh_type == SHT_RELA) return fail(damaged_object("it has relocations with addends"));
      if (headers_[i].sh_type == SHT_REL) DS_TRY_VOID(read_relocations(headers_[i]));
    }
    DS_TRY_VOID(read_functions());
    return std::move(file_);
  }

 private:
  template <typename T>
  std::optional<T> copy_at(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > image_.size() || image_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, image_.data() + offset, sizeof(T));
    return value;
  }

  std::optional<std::span<const std::byte>> range(uint64_t offset, uint64_t size) const {
    if (offset > image_.size() || image_.size() - offset < size) return std::nullopt;
    return image_.subspan(offset, size);
  }

  // A NUL-terminated name in string section `strings`.
  std::optional<std::string_view> name_at(uint32_t strings, uint64_t offset) const {
    if (strings >= headers_.size()) return std::nullopt;
    auto table = range(headers_[strings].sh_offset, headers_[strings].sh_size);
    if (!table || offset >= table->size()) return std::nullopt;
    const char* start = reinterpret_cast<const char*>(table->data()) + offset;
    size_t length = ::strnlen(start, table->size() - offset);
    if (length == table->size() - offset) return std::nullopt;
    return std::string_view{start, length};
  }

  Result<> read_header() {
    auto header = copy_at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
      return fail(damaged_object("it is not an ELF file"));
    bool is_bpf = header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
                  header->e_machine == elf_machine_bpf && header->e_type == ET_REL;
    if (!is_bpf) return fail(damaged_object("it is not a little-endian relocatable for BPF"));
    if (header->e_shentsize != sizeof(Elf64_Shdr)) return fail(damaged_object("wrong section header size"));
    // With 65,280 sections or more the count is in the first section header.
    uint64_t count = header->e_shnum, names = header->e_shstrndx;
    auto first = copy_at<Elf64_Shdr>(header->e_shoff);
    if (!first) return fail(damaged_object("no section headers"));
    if (count == 0) count = first->sh_size;
    if (names == SHN_XINDEX) names = first->sh_link;
    if (count > image_.size() / sizeof(Elf64_Shdr)) return fail(damaged_object("more sections than bytes"));
    for (uint64_t i = 0; i < count; ++i) {
      auto section = copy_at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return fail(damaged_object("section headers are cut off"));
      headers_.push_back(*section);
    }
    section_names_ = static_cast<uint32_t>(names);
    return {};
  }

  Result<> read_sections() {
    for (uint32_t i = 0; i < headers_.size(); ++i) {
      const Elf64_Shdr& header = headers_[i];
      ObjectSection section{.index = i};
      if (i > 0) {
        auto name = name_at(section_names_, header.sh_name);
        if (!name) return fail(damaged_object("a section has no name"));
        section.name = *name;
        section.size = header.sh_size;
        section.is_code = (header.sh_flags & SHF_EXECINSTR) != 0;
        section.is_data = (header.sh_flags & SHF_ALLOC) != 0 && !section.is_code;
        section.is_writable = (header.sh_flags & SHF_WRITE) != 0;
      }
      if (i > 0 && header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL) {
        auto bytes = range(header.sh_offset, header.sh_size);
        if (!bytes) return fail(damaged_object("a section extends past the end of the file"));
        section.bytes = *bytes;
      }
      if (section.is_code && section.bytes.size() % 8 != 0)
        return fail(damaged_object("a code section ends within an instruction"));
      file_.sections_.push_back(section);
    }
    file_.relocations_.resize(headers_.size());
    return {};
  }

  Result<> read_symbols() {
    for (uint32_t i = 1; i < headers_.size(); ++i) {
      if (headers_[i].sh_type == SHT_SYMTAB) return read_symbol_table(i);
    }
    return fail(damaged_object("it has no symbols"));
  }

  Result<> read_symbol_table(uint32_t table) {
    const Elf64_Shdr& header = headers_[table];
    symbol_table_ = table;
    for (uint64_t i = 0; i < header.sh_size / sizeof(Elf64_Sym); ++i) {
      auto entry = copy_at<Elf64_Sym>(header.sh_offset + i * sizeof(Elf64_Sym));
      if (!entry) return fail(damaged_object("the symbol table is cut off"));
      ObjectSymbol symbol{.section = entry->st_shndx, .value = entry->st_value, .size = entry->st_size};
      DS_TRY(symbol.section, section_of(*entry, i));
      symbol.is_function = ELF64_ST_TYPE(entry->st_info) == STT_FUNC;
      auto name = name_at(header.sh_link, entry->st_name);
      if (!name) return fail(damaged_object("a symbol has no name"));
      symbol.name = *name;
      file_.symbols_.push_back(symbol);
    }
    return {};
  }

  // Absolute symbols (file names) count as undefined: nothing may refer to them.
  Result<uint32_t> section_of(const Elf64_Sym& entry, uint64_t index) const {
    uint32_t section = entry.st_shndx;
    if (section == SHN_XINDEX) {
      auto wide = std::find_if(headers_.begin(), headers_.end(),
                               [](const Elf64_Shdr& header) { return header.sh_type == SHT_SYMTAB_SHNDX; });
      auto number = wide == headers_.end() ? std::nullopt : copy_at<uint32_t>(wide->sh_offset + index * 4);
      if (!number) return fail(damaged_object("a symbol's section number is missing"));
      section = *number;
    } else if (section >= SHN_LORESERVE) {
      section = 0;
    }
    if (section >= headers_.size()) return fail(damaged_object("a symbol is in a section that does not exist"));
    return section;
  }

  Result<> read_relocations(const Elf64_Shdr& header) {
    if (header.sh_info == 0 || header.sh_info >= headers_.size() || header.sh_link != symbol_table_)
      return fail(damaged_object("relocations for a section that does not exist"));
    auto& list = file_.relocations_[header.sh_info];
    for (uint64_t i = 0; i < header.sh_size / sizeof(Elf64_Rel); ++i) {
      auto entry = copy_at<Elf64_Rel>(header.sh_offset + i * sizeof(Elf64_Rel));
      if (!entry) return fail(damaged_object("a relocation table is cut off"));
      uint64_t symbol = ELF64_R_SYM(entry->r_info);
      if (symbol >= file_.symbols_.size())
        return fail(damaged_object("a relocation names a symbol that does not exist"));
      list.push_back({.offset = entry->r_offset,
                      .type = static_cast<uint32_t>(ELF64_R_TYPE(entry->r_info)),
                      .symbol = static_cast<uint32_t>(symbol)});
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    return {};
  }

  Result<> read_functions() {
    for (const ObjectSymbol& symbol : file_.symbols_) {
      const ObjectSection& section = file_.sections_[symbol.section];
      if (!symbol.is_function || symbol.section == 0 || !section.is_code) continue;
      bool fits = symbol.value <= section.bytes.size() && symbol.size <= section.bytes.size() - symbol.value;
      if (!fits || symbol.value % 8 != 0 || symbol.size % 8 != 0 || symbol.size == 0)
        return fail(damaged_object(fmt::format("function {} does not lie in its section", symbol.name)));
      file_.functions_.push_back(
          {.name = symbol.name, .section = symbol.section, .offset = symbol.value, .size = symbol.size});
    }
    std::sort(file_.functions_.begin(), file_.functions_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.section, a.offset) < std::tie(b.section, b.offset);
    });
    return {};
  }

  std::span<const std::byte> image_;
  std::vector<Elf64_Shdr> headers_;
  uint32_t section_names_ = 0;
  uint32_t symbol_table_ = 0;
  BpfObjectFile file_;
};

Result<BpfObjectFile> BpfObjectFile::parse(std::span<const char> bytes) { return ObjectReader{bytes}.read(); }

const ObjectSection* BpfObjectFile::find_section(std::string_view name) const {
  for (const ObjectSection& section : sections_) {
    if (section.index > 0 && section.name == name) return &section;
  }
  return nullptr;
}

const ObjectFunction* BpfObjectFile::find_function(uint32_t section, uint64_t offset) const {
  auto found =
      std::lower_bound(functions_.begin(), functions_.end(), std::pair{section, offset},
                       [](const ObjectFunction& function, const std::pair<uint32_t, uint64_t>& wanted) {
                         return std::tie(function.section, function.offset) < std::tie(wanted.first, wanted.second);
                       });
  if (found == functions_.end() || found->section != section || found->offset != offset) return nullptr;
  return &*found;
}

const ObjectFunction* BpfObjectFile::find_function(std::string_view name) const {
  for (const ObjectFunction& function : functions_) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace dscope
