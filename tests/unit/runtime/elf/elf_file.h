// ElfFile: a small 64-bit ELF file in memory, built section by section, for contents that real linkers rarely write.
#pragma once

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/fd.h"

namespace dscope::test {

class ElfFile {
 public:
  // Every file has one loaded segment: its first 4 KiB, mapped at this address.
  static constexpr uint64_t segment_address = 0x400000, segment_size = 4096;

  explicit ElfFile(uint32_t segment_flags = PF_R | PF_X) : segment_flags_(segment_flags) {}

  // Returns the section's index, for the `link` of another section.
  uint32_t add(std::string_view name, uint32_t type, std::string_view bytes, uint64_t entry_size = 0,
               uint32_t link = 0) {
    sections_.push_back({std::string{name}, std::string{bytes}, type, link, entry_size});
    return static_cast<uint32_t>(sections_.size());
  }

  // An anonymous file with the image.
  Fd open() const {
    std::string image(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0'), names(1, '\0');
    std::vector<Elf64_Shdr> headers(1);
    std::vector<Section> all = sections_;
    all.push_back({".shstrtab", "", SHT_STRTAB, 0, 0});
    for (const Section& section : all) {
      image.resize((image.size() + 7) / 8 * 8);
      Elf64_Shdr header{};
      header.sh_name = static_cast<Elf64_Word>(names.size());
      names += section.name + '\0';
      bool is_names = &section == &all.back();
      const std::string& bytes = is_names ? names : section.bytes;
      header.sh_type = section.type;
      header.sh_offset = image.size();
      header.sh_size = bytes.size();
      header.sh_link = section.link;
      header.sh_addralign = 4;
      header.sh_entsize = section.entry_size;
      headers.push_back(header);
      image += bytes;
    }
    image.resize((image.size() + 7) / 8 * 8);
    Elf64_Ehdr header{};
    std::string_view{ELFMAG}.copy(reinterpret_cast<char*>(header.e_ident), SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 1;
    header.e_shoff = image.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = segment_flags_;
    segment.p_vaddr = segment_address;
    segment.p_filesz = segment.p_memsz = segment_size;
    image.replace(0, sizeof header, text_of(header));
    image.replace(sizeof header, sizeof segment, text_of(segment));
    for (const Elf64_Shdr& each : headers) image += text_of(each);
    Fd file{::memfd_create("elf", MFD_CLOEXEC)};
    if (::write(file.get(), image.data(), image.size()) != static_cast<ssize_t>(image.size())) file.reset();
    return file;
  }

  // The bytes of a value as laid out in memory.
  template <typename Value>
  static std::string text_of(const Value& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  // One note, padded to four bytes.
  static std::string note(std::string_view owner, uint32_t type, std::string_view content) {
    std::string text = text_of(static_cast<uint32_t>(owner.size() + 1)) +
                       text_of(static_cast<uint32_t>(content.size())) + text_of(type);
    auto append = [&](std::string bytes) {
      bytes.resize((bytes.size() + 3) / 4 * 4);
      text += bytes;
    };
    append(std::string{owner} + '\0');
    append(std::string{content});
    return text;
  }

 private:
  struct Section {
    std::string name, bytes;
    uint32_t type = 0, link = 0;
    uint64_t entry_size = 0;
  };
  uint32_t segment_flags_;
  std::vector<Section> sections_;
};

}  // namespace dscope::test
