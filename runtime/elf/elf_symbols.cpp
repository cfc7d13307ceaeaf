#include "runtime/elf/elf_symbols.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/debug_files.h"
#include "runtime/elf/frame_functions.h"
#include "runtime/elf/go_functions.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint8_t local_function = 1;  // the highest preference of functions

// Prefers functions to variables to untyped symbols, and global to local ones. Nothing for symbols without an address
// in the file and for the assembler's marks.
std::optional<uint8_t> preference_of(const GElf_Sym& symbol, std::string_view name) {
  int type = GELF_ST_TYPE(symbol.st_info);
  bool is_named = !name.empty() && name[0] != '$';  // "$x", "$d": the assembler's marks for code and data
  if (!is_named || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) return std::nullopt;
  bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
  if (!is_function && type != STT_OBJECT && type != STT_NOTYPE) return std::nullopt;
  bool is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
  return static_cast<uint8_t>((is_function ? 0 : type == STT_OBJECT ? 2 : 4) + (is_local ? 1 : 0));
}

uid_t owner_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_uid : 0;
}

}  // namespace

// Fills an ElfSymbols.
class ElfReader {
 public:
  ElfReader(Elf* elf, ElfSymbols& result, FileBudget& budget) : elf_(elf), result_(&result), budget_(&budget) {}

  // `path` and `root`: as ElfSymbols::read. `owner`: the user who owns the file.
  void read(const std::string& path, const std::string& root, bool keeps_all_names = false, uid_t owner = 0) {
    owner_ = owner;
    read_segments();
    read_code_sections();
    result_->is_32bit_ = gelf_getclass(elf_) == ELFCLASS32;
    result_->is_stripped_ = !read_tables() && !read_debug_file(path, root);
    add_go_functions();
    if (result_->is_stripped_) add_unnamed_functions();
    // Half a table would name addresses after the wrong functions.
    if (budget_->is_used_up()) {
      result_->symbols_ = {};
      result_->indirect_.clear();
      result_->unnamed_function_count_ = 0;
      result_->is_stripped_ = false;
    }
    result_->symbols_.finish(keeps_all_names);
    std::sort(result_->indirect_.begin(), result_->indirect_.end());
  }

 private:
  void read_segments() {
    size_t count = 0;
    if (elf_getphdrnum(elf_, &count) != 0) return;
    for (size_t i = 0; i < count && budget_->has_time(); ++i) {
      GElf_Phdr header;
      if (!gelf_getphdr(elf_, static_cast<int>(i), &header) || header.p_type != PT_LOAD) continue;
      size_t index = result_->segments_.size();
      result_->segments_.push_back({header.p_offset, header.p_filesz, header.p_vaddr, header.p_memsz});
      result_->by_offset_.add(header.p_offset, header.p_filesz, index);
      result_->by_memory_offset_.add(header.p_offset, header.p_memsz, index);
      result_->by_address_.add(header.p_vaddr, header.p_filesz, index);
    }
    for (RangeIndex* index : {&result_->by_offset_, &result_->by_memory_offset_, &result_->by_address_})
      index->finish();
  }

  void read_code_sections() {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!budget_->has_time()) break;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_EXECINSTR) == 0)
        continue;
      result_->code_by_offset_.add(header.sh_offset, header.sh_size, result_->code_.size());
      result_->code_.push_back({header.sh_offset, header.sh_size});
    }
    result_->code_by_offset_.finish();
  }

  // Reads .symtab and .dynsym. True if there is a .symtab; a stripped file has only the .dynsym.
  bool read_tables() {
    bool has_symtab = false;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!budget_->has_time()) break;
      if (!gelf_getshdr(section, &header)) continue;
      if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) read_table(section, header);
      has_symtab |= header.sh_type == SHT_SYMTAB;
    }
    return has_symtab;
  }

  void read_table(Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = header.sh_entsize != 0 ? section_data(section, *budget_) : nullptr;
    Elf_Data* names = data != nullptr ? section_data(elf_getscn(elf_, header.sh_link), *budget_) : nullptr;
    if (names == nullptr) return;
    size_t count = data->d_size / header.sh_entsize;
    // Symbols may share one long name, so each copy of it counts. A reservation costs nothing until it is used.
    result_->symbols_.reserve(count, names->d_size);
    for (size_t i = 1; i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, static_cast<int>(i), &symbol) || symbol.st_name >= names->d_size) continue;
      std::string_view name = text_at(names, symbol.st_name);
      if (!budget_->take(name.size() + sizeof symbol)) return;
      name = name.substr(0, name.find('@'));  // symbol version
      auto preference = preference_of(symbol, name);
      if (preference && GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) result_->indirect_.push_back(symbol.st_value);
      if (preference) result_->symbols_.add(symbol.st_value, symbol.st_size, *preference, name);
    }
  }

  // True if the symbols were found outside the tables of a stripped file.
  bool read_debug_file(const std::string& path, const std::string& root) {
    DebugReference reference = read_debug_reference(elf_, *budget_);
    Fd fd = open_debug_file(reference, path, root);
    if (fd && !is_trusted(fd)) fd.reset();
    if (!fd && !root.empty()) fd = open_debug_file(reference, path, "");
    if (!fd) return read_compressed_table();
    FileBudget budget(fd.get());
    ElfHandle debug = open_elf(fd.get(), budget);
    bool is_found = debug && ElfReader{debug.get(), *result_, budget}.read_tables();
    if (budget.is_used_up()) result_->symbols_ = {};
    return is_found;
  }

  // The user of a process can show any debug file for a library of root, in a mount namespace of their own. It must not
  // choose the places of probes in the library.
  bool is_trusted(const Fd& debug_file) const {
    struct stat status{};
    return ::fstat(debug_file.get(), &status) == 0 && (status.st_uid == 0 || status.st_uid == owner_);
  }

  bool read_compressed_table() {
    std::vector<char> image = read_compressed_symbols(elf_, *budget_);
    ElfHandle table{image.empty() ? nullptr : elf_memory(image.data(), image.size())};
    return table && ElfReader{table.get(), *result_, *budget_}.read_tables();
  }

  void add_go_functions() {
    GoTable table = read_go_functions(elf_, *budget_);
    result_->is_go_ = table.is_go;
    result_->passes_registers_as_go_ = table.passes_registers;
    result_->go_version_ = table.version;
    for (const GoFunction& function : table.functions)
      if (!function.is_assembler && budget_->take(sizeof(uint64_t))) result_->go_functions_.push_back(function.start);
    if (!result_->is_stripped_) return;
    for (const GoFunction& function : table.functions)
      if (budget_->take(function.name.size() + sizeof function))
        result_->symbols_.add(function.start, function.size, local_function, function.name);
    result_->is_stripped_ = table.functions.empty();
  }

  // Names each function of the unwind table that has no symbol by its address.
  void add_unnamed_functions() {
    std::vector<SymbolTable::Item> named = result_->symbols_.items();
    std::erase_if(named, [](const SymbolTable::Item& item) { return item.preference > local_function; });
    std::ranges::sort(named, {}, &SymbolTable::Item::start);
    std::optional<uint64_t> main = main_address();
    for (const FrameFunction& function : read_frame_functions(elf_, *budget_)) {
      if (!budget_->has_time()) return;
      auto above = std::ranges::upper_bound(named, function.start, {}, &SymbolTable::Item::start);
      bool is_named =
          above != named.begin() && function.start - (above - 1)->start < std::max<uint64_t>((above - 1)->size, 1);
      if (is_named) continue;
      bool is_main = function.start == main;
      std::string name = fmt::format("fun_{:x}{}", function.start, function.is_cold_part ? ".cold" : "");
      result_->symbols_.add(function.start, function.size, local_function, is_main ? "main" : name);
      if (!is_main) ++result_->unnamed_function_count_;
    }
  }

  std::optional<uint64_t> main_address() {
    GElf_Ehdr header;
    auto offset = gelf_getehdr(elf_, &header) ? result_->file_offset(header.e_entry) : std::nullopt;
    if (!offset || header.e_machine != EM_X86_64) return std::nullopt;
    constexpr size_t start_code_size = 64;
    const Elf_Data* code = elf_getdata_rawchunk(elf_, static_cast<int64_t>(*offset), start_code_size, ELF_T_BYTE);
    if (code == nullptr || code->d_buf == nullptr) return std::nullopt;
    return find_main({static_cast<const uint8_t*>(code->d_buf), code->d_size}, header.e_entry);
  }

  Elf* elf_;
  ElfSymbols* result_;
  FileBudget* budget_;
  uid_t owner_ = 0;
};

std::unique_ptr<ElfSymbols> ElfSymbols::read(int fd, const std::string& path, const std::string& root,
                                             bool keeps_all_names) {
  auto result = std::make_unique<ElfSymbols>();
  FileBudget budget(fd);
  if (ElfHandle elf = open_elf(fd, budget))
    ElfReader{elf.get(), *result, budget}.read(path, root, keeps_all_names, owner_of(fd));
  return result;
}

std::unique_ptr<ElfSymbols> ElfSymbols::from_memory(std::span<char> image) {
  auto result = std::make_unique<ElfSymbols>();
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_memory(image.data(), image.size())};
  FileBudget budget(-1);
  if (elf && elf_kind(elf.get()) == ELF_K_ELF) ElfReader{elf.get(), *result, budget}.read("", "");
  return result;
}

std::optional<uint64_t> ElfSymbols::find_name(std::string_view name) const {
  for (const SymbolTable::Item& item : symbols_.items())
    if (item.name == name) return item.start;
  return std::nullopt;
}

std::optional<uint64_t> ElfSymbols::find_unique(std::string_view name) const {
  std::optional<uint64_t> found;
  for (const SymbolTable::Item& item : symbols_.items()) {
    if (item.name != name) continue;
    if (found && *found != item.start) return std::nullopt;
    found = item.start;
  }
  return found;
}

std::optional<uint64_t> ElfSymbols::segment_address(uint64_t file_offset) const {
  auto found = by_offset_.find(file_offset);
  if (!found) found = by_memory_offset_.find(file_offset);
  if (!found) return std::nullopt;
  return file_offset - segments_[*found].offset + segments_[*found].address;
}

std::optional<uint64_t> ElfSymbols::file_offset(uint64_t virtual_address) const {
  auto found = by_address_.find(virtual_address);
  if (!found) return std::nullopt;
  return virtual_address - segments_[*found].address + segments_[*found].offset;
}

bool ElfSymbols::is_go_function(uint64_t address) const { return std::ranges::binary_search(go_functions_, address); }

std::optional<ElfSymbols::CodeSection> ElfSymbols::code_section_around(uint64_t file_offset) const {
  auto found = code_by_offset_.find(file_offset);
  return found ? std::optional{code_[*found]} : std::nullopt;
}

std::vector<ElfSymbols::Function> ElfSymbols::functions() const {
  std::vector<Function> functions;
  std::vector<SymbolTable::Item> items = symbols_.items();
  auto is_function = [](const SymbolTable::Item& item) { return item.preference <= local_function; };
  for (size_t i = 0, next = 0; i < items.size(); ++i) {
    std::optional<uint64_t> offset = is_function(items[i]) ? file_offset(items[i].start) : std::nullopt;
    if (!offset) continue;
    uint64_t size = items[i].size;
    // Functions written in assembler may state no size: they end at the next symbol or at the end of their section.
    while (next < items.size() && items[next].start <= items[i].start) ++next;
    if (size == 0 && next < items.size()) size = items[next].start - items[i].start;
    if (auto section = code_section_around(*offset); items[i].size == 0 && section)
      size = std::min(size, section->offset + section->size - *offset);
    bool is_indirect = std::binary_search(indirect_.begin(), indirect_.end(), items[i].start);
    functions.push_back({items[i].name, *offset, size, is_indirect});
  }
  return functions;
}

}  // namespace dscope
