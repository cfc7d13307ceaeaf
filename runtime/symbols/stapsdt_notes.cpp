#include "runtime/symbols/stapsdt_notes.h"

#include <elf.h>
#include <gelf.h>

#include <cstring>
#include <optional>
#include <string_view>

#include "runtime/symbols/debug_files.h"

namespace dscope {

namespace {

constexpr uint32_t stapsdt_type = 3;

// The notes of one file.
class NoteReader {
 public:
  explicit NoteReader(Elf* elf) : elf_(elf) {}

  std::vector<StapsdtNote> read() {
    base_ = base_address();
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE) continue;
      if (Elf_Data* data = elf_getdata(section, nullptr)) read_section(data);
    }
    return std::move(notes_);
  }

 private:
  // Where the linker put what all the notes give the address of: by as much prelink(8) moved everything.
  uint64_t base_address() {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf_, names, header.sh_name) : nullptr;
      if (name != nullptr && std::strcmp(name, ".stapsdt.base") == 0) return header.sh_addr;
    }
    return 0;
  }

  std::optional<uint64_t> file_offset(uint64_t address) {
    size_t count = 0;
    if (elf_getphdrnum(elf_, &count) != 0) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (!gelf_getphdr(elf_, static_cast<int>(i), &header) || header.p_type != PT_LOAD) continue;
      if (address - header.p_vaddr < header.p_filesz) return address - header.p_vaddr + header.p_offset;
    }
    return std::nullopt;
  }

  void read_section(Elf_Data* data) {
    GElf_Nhdr note;
    size_t name_at = 0, content_at = 0;
    for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &content_at)) > 0;) {
      const char* bytes = static_cast<const char*>(data->d_buf);
      bool is_ours =
          note.n_type == stapsdt_type && note.n_namesz == 8 && std::memcmp(bytes + name_at, "stapsdt", 8) == 0;
      if (is_ours) add({bytes + content_at, note.n_descsz});
    }
  }

  // Three addresses, then three texts with their ends.
  void add(std::string_view content) {
    size_t width = gelf_getclass(elf_) == ELFCLASS32 ? 4 : 8;
    if (content.size() < 3 * width) return;
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
    note.provider = take_text();
    note.name = take_text();
    note.arguments = take_text();
    note.address = address + moved;
    auto offset = file_offset(note.address);
    if (!offset || note.provider.empty() || note.name.empty()) return;
    note.offset = *offset;
    if (semaphore != 0) note.semaphore = file_offset(semaphore + moved).value_or(0);
    notes_.push_back(std::move(note));
  }

  Elf* elf_;
  uint64_t base_ = 0;
  std::vector<StapsdtNote> notes_;
};

}  // namespace

std::vector<StapsdtNote> read_stapsdt_notes(int fd) {
  elf_version(EV_CURRENT);
  ElfHandle elf{elf_begin(fd, ELF_C_READ, nullptr)};
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return {};
  return NoteReader{elf.get()}.read();
}

}  // namespace dscope
