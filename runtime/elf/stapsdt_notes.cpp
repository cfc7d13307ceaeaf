#include "runtime/elf/stapsdt_notes.h"

#include <elf.h>
#include <gelf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/elf_notes.h"
#include "runtime/elf/range_index.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint32_t stapsdt_type = 3;

// The notes of one file.
class NoteReader {
 public:
  // `file_size`: in bytes; probes lie within it. Objects that are not linked have no file offsets.
  NoteReader(Elf* elf, FileBudget& budget, bool is_linked, uint64_t file_size)
      : elf_(elf), budget_(budget), is_linked_(is_linked), file_size_(file_size) {}

  // Empty if the budget is used up.
  std::vector<StapsdtNote> read() {
    base_ = base_address();
    read_segments();
    for_each_note(elf_, "stapsdt", stapsdt_type, budget_, [&](std::string_view content) { add(content); });
    if (budget_.is_used_up()) notes_.clear();
    return std::move(notes_);
  }

 private:
  // The address of section .stapsdt.base. Every note states the address that the linker gave this section; if they
  // differ, prelink(8) has moved the whole file by the difference.
  uint64_t base_address() {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!budget_.has_time()) break;
      const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf_, names, header.sh_name) : nullptr;
      if (name != nullptr && std::strcmp(name, ".stapsdt.base") == 0) return header.sh_addr;
    }
    return 0;
  }

  void read_segments() {
    size_t count = 0;
    if (elf_getphdrnum(elf_, &count) != 0) return;
    for (size_t i = 0; i < count && budget_.has_time(); ++i) {
      GElf_Phdr header;
      if (!gelf_getphdr(elf_, static_cast<int>(i), &header) || header.p_type != PT_LOAD) continue;
      by_address_.add(header.p_vaddr, header.p_filesz, segments_.size());
      segments_.push_back(header);
    }
    by_address_.finish();
  }

  struct Place {
    uint64_t offset;  // in the file
    uint32_t flags;   // of the segment: PF_X, PF_W, PF_R
  };
  std::optional<Place> place_of(uint64_t address) const {
    auto found = by_address_.find(address);
    if (!found) return std::nullopt;
    const GElf_Phdr& segment = segments_[*found];
    return Place{address - segment.p_vaddr + segment.p_offset, segment.p_flags};
  }

  // False if the probe is not in the code of the file or its semaphore not in data. The kernel writes to both places: a
  // note must not turn code or constants into a counter. It rejects counters at odd offsets.
  bool set_file_offsets(StapsdtNote& note, uint64_t semaphore) {
    auto probe = place_of(note.address);
    if (!probe || (probe->flags & PF_X) == 0 || probe->offset >= file_size_) return false;
    note.offset = probe->offset;
    auto counter = semaphore != 0 ? place_of(semaphore) : std::nullopt;
    if (!counter) return true;
    note.semaphore = counter->offset;
    return (counter->flags & PF_W) != 0 && counter->offset % sizeof(uint16_t) == 0;
  }

  // A note holds three addresses (probe, base, semaphore), then three strings (provider, name, arguments).
  void add(std::string_view content) {
    size_t width = gelf_getclass(elf_) == ELFCLASS32 ? 4 : 8;
    if (content.size() < 3 * width || !budget_.take(sizeof(StapsdtNote) + content.size())) return;
    auto take_address = [&] {
      uint64_t address = 0;
      std::memcpy(&address, content.data(), width);
      content.remove_prefix(width);
      return address;
    };
    auto take_text = [&] {
      std::string_view text = content.substr(0, content.find('\0'));
      content.remove_prefix(std::min(content.size(), text.size() + 1));
      return std::string{text};
    };
    uint64_t address = take_address(), base = take_address(), semaphore = take_address();
    uint64_t moved = base_ != 0 && base != 0 ? base_ - base : 0;
    StapsdtNote note;
    note.address_size = static_cast<uint32_t>(width);
    note.provider = take_text();
    note.name = take_text();
    note.arguments = take_text();
    note.address = address + moved;
    if (note.provider.empty() || note.name.empty()) return;
    // When --gc-sections discards a function, its notes stay, with a zero address.
    if (is_linked_ && address == 0) return;
    if (is_linked_ && !set_file_offsets(note, semaphore == 0 ? 0 : semaphore + moved)) return;
    if (is_linked_) resolve_relative_operands(note);
    notes_.push_back(std::move(note));
  }

  // Replaces "8@counter+16(%rip)", which needs the file's symbols, by "8@1234(%site)".
  void resolve_relative_operands(StapsdtNote& note) {
    constexpr std::string_view relative = "(%rip)";
    constexpr int max_operands = 12;  // the limit of <sys/sdt.h>
    for (int i = 0; i < max_operands; ++i) {
      size_t at = note.arguments.find(relative);
      if (at == std::string::npos) return;
      size_t begin = note.arguments.rfind('@', at) + 1;
      auto address = sum(std::string_view{note.arguments}.substr(begin, at - begin));
      std::string distance =
          address ? fmt::format("{}(%site)", static_cast<int64_t>(*address - note.address)) : "(%unknown)";
      note.arguments.replace(begin, at + relative.size() - begin, distance);
    }
  }

  // Evaluates "counter+16" or "16+counter". Nothing if a symbol is unknown or the text has none.
  std::optional<uint64_t> sum(std::string_view text) {
    uint64_t address = 0;
    bool has_symbol = false;
    while (!text.empty()) {
      size_t end = std::min(text.find_first_of("+-", 1), text.size());
      std::string term{text.substr(0, end)};
      text.remove_prefix(end);
      bool is_number = term.find_first_not_of("+-0123456789") == std::string::npos;
      if (term[0] == '+') term.erase(0, 1);
      auto value =
          is_number ? std::optional(static_cast<uint64_t>(std::strtoll(term.c_str(), nullptr, 10))) : find_symbol(term);
      if (!value) return std::nullopt;
      address += *value;
      has_symbol |= !is_number;
    }
    return has_symbol ? std::optional(address) : std::nullopt;
  }

  std::optional<uint64_t> find_symbol(std::string_view name) {
    if (!has_symbols_) read_symbols();
    has_symbols_ = true;
    auto found = symbols_.find(name);
    return found == symbols_.end() ? std::nullopt : std::optional{found->second};
  }

  // The first symbol of a name counts.
  void read_symbols() {
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!budget_.has_time()) return;
      bool is_table = gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM);
      Elf_Data* data = is_table ? section_data(section, budget_) : nullptr;
      Elf_Data* names = data != nullptr ? section_data(elf_getscn(elf_, header.sh_link), budget_) : nullptr;
      GElf_Sym symbol;
      for (int i = 0; names != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
        std::string_view name = symbol.st_shndx != SHN_UNDEF ? text_at(names, symbol.st_name) : std::string_view{};
        // Symbols may share one long name, which is hashed for each; an entry of the map takes about 64 bytes.
        constexpr uint64_t entry_size = 64;
        if (!budget_.take(name.size() + entry_size)) return;
        if (!name.empty()) symbols_.try_emplace(name, symbol.st_value);
      }
    }
  }

  Elf* elf_;
  FileBudget& budget_;
  bool is_linked_, has_symbols_ = false;
  uint64_t file_size_;
  uint64_t base_ = 0;
  std::vector<GElf_Phdr> segments_;
  RangeIndex by_address_;                                   // indexes of segments
  std::unordered_map<std::string_view, uint64_t> symbols_;  // addresses by name; read for the first operand with one
  std::vector<StapsdtNote> notes_;
};

}  // namespace

StaticProbes read_static_probes(int fd) {
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  if (!elf) return {};
  struct stat status{};
  if (::fstat(fd, &status) != 0) return {};
  auto size = static_cast<uint64_t>(status.st_size);
  StaticProbes probes{.notes = NoteReader{elf.get(), budget, true, size}.read(), .definitions = {}};
  if (probes.notes.empty()) return probes;
  for_each_note(elf.get(), defined_provider_owner, defined_provider_note, budget, [&](std::string_view content) {
    // Names and types become strings of their own.
    constexpr uint64_t growth = 32;
    if (!budget.take(content.size() * growth)) return;
    if (auto provider = parse_note(content)) probes.definitions.push_back(std::move(*provider));
  });
  return budget.is_used_up() ? StaticProbes{} : probes;
}

std::vector<StapsdtNote> read_stapsdt_texts(Elf* object) {
  FileBudget budget(-1);
  return NoteReader{object, budget, false, 0}.read();
}

}  // namespace dscope
