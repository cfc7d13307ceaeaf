#include "runtime/usdt/relocatable_object.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <cstring>

#include "runtime/elf/debug_files.h"
#include "support/fd.h"

namespace dscope {

RelocatableObject::RelocatableObject(ObjectKind kind) : kind_(kind) {}

RelocatableObject::SectionIndex RelocatableObject::add_section(Section section) {
  sections_.push_back({.content = std::move(section), .relocations = {}});
  return sections_.size() - 1;
}

void RelocatableObject::align(SectionIndex section, size_t alignment, char filler) {
  while (bytes(section).size() % alignment != 0) bytes(section) += filler;
}

RelocatableObject::SymbolIndex RelocatableObject::define(std::string name, SectionIndex section, uint64_t offset,
                                                         uint64_t size, bool is_function) {
  symbols_.push_back({.name = std::move(name),
                      .section = section,
                      .offset = offset,
                      .size = size,
                      .is_function = is_function,
                      .is_defined = true});
  return symbols_.size() - 1;
}

RelocatableObject::SymbolIndex RelocatableObject::refer(std::string name) {
  symbols_.push_back({.name = std::move(name)});
  return symbols_.size() - 1;
}

void RelocatableObject::append_address(SectionIndex section, SymbolIndex symbol) {
  FilledSection& filled = sections_[section];
  filled.relocations.push_back({.offset = filled.content.bytes.size(), .symbol = symbol});
  filled.content.bytes.append(kind_.is_64_bit ? 8 : 4, '\0');
}

void RelocatableObject::relocate_distance(SectionIndex section, uint64_t offset, SymbolIndex symbol, int32_t addend) {
  // i386 relocations have no addend field: the relocated bytes hold the addend.
  if (kind_.machine == EM_386) std::memcpy(bytes(section).data() + offset, &addend, sizeof addend);
  sections_[section].relocations.push_back({.offset = offset, .symbol = symbol, .is_distance = true, .addend = addend});
}

// ---------------------------------------------------------------- writing

// Section numbers: 0 is the null section, then the added ones, .symtab, .strtab, .shstrtab, then the relocation
// sections.
class RelocatableObject::Writer {
 public:
  Writer(const RelocatableObject& file, Elf* elf) : file_(file), elf_(elf) {}

  bool write() {
    bool is_begun = gelf_newehdr(elf_, file_.kind_.is_64_bit ? ELFCLASS64 : ELFCLASS32) != nullptr;
    if (!is_begun || !write_header()) return false;
    for (const FilledSection& section : file_.sections_)
      if (!add(section.content, 0, 0, 0)) return false;
    return write_symbols() && write_relocations() && elf_update(elf_, ELF_C_WRITE) >= 0;
  }

 private:
  size_t symbols_section() const { return file_.sections_.size() + 1; }

  bool write_header() {
    GElf_Ehdr header;
    if (gelf_getehdr(elf_, &header) == nullptr) return false;
    header.e_type = ET_REL;
    header.e_machine = file_.kind_.machine;
    header.e_version = EV_CURRENT;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shstrndx = static_cast<GElf_Half>(symbols_section() + 2);
    return gelf_update_ehdr(elf_, &header) != 0;
  }

  static uint32_t add_text(std::string& table, std::string_view text) {
    auto at = static_cast<uint32_t>(table.size());
    table.append(text);
    table += '\0';
    return at;
  }

  // Keeps a copy of the bytes until the ELF file is written.
  Elf_Scn* add(const Section& content, size_t link, size_t info, size_t entry_size, Elf_Type type = ELF_T_BYTE) {
    Elf_Scn* section = elf_newscn(elf_);
    Elf_Data* data = section == nullptr ? nullptr : elf_newdata(section);
    GElf_Shdr header;
    if (data == nullptr || gelf_getshdr(section, &header) == nullptr) return nullptr;
    written_bytes_.push_back(content.bytes);
    data->d_buf = written_bytes_.back().data();
    data->d_size = written_bytes_.back().size();
    data->d_align = content.alignment;
    data->d_type = type;
    header.sh_name = add_text(names_, content.name);
    header.sh_type = content.type;
    header.sh_flags = content.flags;
    header.sh_link = static_cast<GElf_Word>(link);
    header.sh_info = static_cast<GElf_Word>(info);
    header.sh_addralign = content.alignment;
    header.sh_entsize = entry_size;
    return gelf_update_shdr(section, &header) != 0 ? section : nullptr;
  }

  size_t size_of(Elf_Type type, size_t count) { return gelf_fsize(elf_, type, count, EV_CURRENT); }

  // All symbols are global, so the first global one is number 1.
  bool write_symbols() {
    std::string texts(1, '\0');
    Section table{.name = ".symtab", .type = SHT_SYMTAB, .alignment = 8, .bytes = {}};
    table.bytes.resize(size_of(ELF_T_SYM, file_.symbols_.size() + 1));
    Elf_Scn* section = add(table, symbols_section() + 1, 1, size_of(ELF_T_SYM, 1), ELF_T_SYM);
    Elf_Data* data = section == nullptr ? nullptr : elf_getdata(section, nullptr);
    if (data == nullptr) return false;
    for (size_t i = 0; i < file_.symbols_.size(); ++i) {
      const Symbol& symbol = file_.symbols_[i];
      GElf_Sym entry{};
      unsigned type = !symbol.is_defined ? STT_NOTYPE : symbol.is_function ? STT_FUNC : STT_OBJECT;
      entry.st_name = add_text(texts, symbol.name);
      entry.st_info = static_cast<unsigned char>(GELF_ST_INFO(STB_WEAK, type));
      entry.st_other = STV_HIDDEN;
      entry.st_shndx = static_cast<GElf_Section>(symbol.is_defined ? symbol.section + 1 : SHN_UNDEF);
      entry.st_value = symbol.offset;
      entry.st_size = symbol.size;
      if (gelf_update_sym(data, static_cast<int>(i + 1), &entry) == 0) return false;
    }
    Section text_section{.name = ".strtab", .type = SHT_STRTAB, .bytes = std::move(texts)};
    return add(text_section, 0, 0, 0) != nullptr && write_names();
  }

  // The section of names must contain its own name and those of the relocation sections, which follow.
  bool write_names() {
    for (const FilledSection& section : file_.sections_)
      if (!section.relocations.empty()) relocation_names_.push_back(add_text(names_, relocations_of(section)));
    Section table{.name = ".shstrtab", .type = SHT_STRTAB, .bytes = names_};
    add_text(table.bytes, table.name);
    return add(table, 0, 0, 0) != nullptr;
  }

  bool has_addends() const { return file_.kind_.machine != EM_386; }
  std::string relocations_of(const FilledSection& section) const {
    return (has_addends() ? ".rela" : ".rel") + section.content.name;
  }

  bool write_relocations() {
    size_t next_name = 0;
    for (size_t i = 0; i < file_.sections_.size(); ++i) {
      const FilledSection& target = file_.sections_[i];
      if (target.relocations.empty()) continue;
      Elf_Type type = has_addends() ? ELF_T_RELA : ELF_T_REL;
      Section table{.name = relocations_of(target),
                    .type = static_cast<uint32_t>(has_addends() ? SHT_RELA : SHT_REL),
                    .flags = SHF_INFO_LINK,
                    .alignment = 8,
                    .bytes = {}};
      table.bytes.resize(size_of(type, target.relocations.size()));
      Elf_Scn* section = add(table, symbols_section(), i + 1, size_of(type, 1), type);
      GElf_Shdr header;
      if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return false;
      header.sh_name = relocation_names_[next_name++];
      if (gelf_update_shdr(section, &header) == 0 || !fill(section, target.relocations)) return false;
    }
    return true;
  }

  bool fill(Elf_Scn* section, const std::vector<Relocation>& relocations) {
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 0; data != nullptr && i < relocations.size(); ++i) {
      const Relocation& relocation = relocations[i];
      GElf_Rela entry{.r_offset = relocation.offset,
                      .r_info = GELF_R_INFO(relocation.symbol + 1, relocation_type(relocation.is_distance)),
                      .r_addend = relocation.addend};
      GElf_Rel short_entry{.r_offset = entry.r_offset, .r_info = entry.r_info};
      int index = static_cast<int>(i);
      int done = has_addends() ? gelf_update_rela(data, index, &entry) : gelf_update_rel(data, index, &short_entry);
      if (done == 0) return false;
    }
    return data != nullptr;
  }

  uint64_t relocation_type(bool is_distance) const {
    if (file_.kind_.machine == EM_386) return is_distance ? R_386_PC32 : R_386_32;
    if (file_.kind_.machine == EM_AARCH64) return R_AARCH64_ABS64;
    if (is_distance) return R_X86_64_PC32;
    return file_.kind_.is_64_bit ? R_X86_64_64 : R_X86_64_32;
  }

  const RelocatableObject& file_;
  Elf* elf_;
  std::string names_ = std::string(1, '\0');
  std::vector<uint32_t> relocation_names_;
  std::deque<std::string> written_bytes_;
};

Result<> RelocatableObject::write(const std::string& path) const {
  Fd file{::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (!file) return fail(Error::from_errno(errno, "failed to open {}", path));
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(file.get(), ELF_C_WRITE, nullptr)};
  if (elf && Writer{*this, elf.get()}.write()) return {};
  ::unlink(path.c_str());
  return fail(Error::make("failed to write {}: {}", path, elf_errmsg(-1)));
}

}  // namespace dscope
