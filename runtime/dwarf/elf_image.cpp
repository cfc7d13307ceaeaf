#include "runtime/dwarf/elf_image.h"

#include <elf.h>
#include <gelf.h>
#include <zlib.h>

#include <cstring>

#include "arch/architecture.h"
#include "runtime/elf/bounded_elf.h"
#include "runtime/elf/decompression.h"

namespace dscope {

namespace {

constexpr uint32_t zlib_format = 1, zstd_format = 2;  // ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD

bool uncompress(uint32_t format, std::span<const std::byte> from, std::span<std::byte> to) {
  if (format == zlib_format) {
    uLongf size = to.size();
    return ::uncompress(reinterpret_cast<Bytef*>(to.data()), &size, reinterpret_cast<const Bytef*>(from.data()),
                        from.size()) == Z_OK &&
           size == to.size();
  }
  return format == zstd_format && decompress_zstd(from, to);
}

template <typename Value>
void append(std::vector<char>& to, const Value& value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

// The compression header of a section, and the compressed bytes after it; nothing if it is not compressed.
std::optional<Elf64_Chdr> compression_of(Elf_Scn* section, std::span<const std::byte>& content, FileBudget& budget) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_COMPRESSED) == 0) return std::nullopt;
  const Elf_Data* data = raw_section_data(section, budget);
  Elf64_Chdr compression{};
  if (data == nullptr || data->d_size < sizeof compression) return std::nullopt;
  std::memcpy(&compression, data->d_buf, sizeof compression);
  content = std::span{static_cast<const std::byte*>(data->d_buf), data->d_size}.subspan(sizeof compression);
  return compression;
}

}  // namespace

bool is_compressed_by_zstd(Elf_Scn* section, FileBudget& budget) {
  std::span<const std::byte> content;
  auto compression = compression_of(section, content, budget);
  return compression && compression->ch_type == zstd_format;
}

std::optional<std::vector<std::byte>> read_uncompressed(Elf_Scn* section, FileBudget& budget) {
  std::span<const std::byte> content;
  if (auto compression = compression_of(section, content, budget)) {
    if (!budget.take(compression->ch_size)) return std::nullopt;
    std::vector<std::byte> bytes(compression->ch_size);
    if (!uncompress(compression->ch_type, content, bytes)) return std::nullopt;
    return bytes;
  }
  GElf_Shdr header;
  bool has_bytes = gelf_getshdr(section, &header) != nullptr && header.sh_type != SHT_NOBITS;
  const Elf_Data* data = has_bytes ? raw_section_data(section, budget) : nullptr;
  if (data == nullptr || !budget.take(data->d_size)) return std::nullopt;
  const auto* begin = static_cast<const std::byte*>(data->d_buf);
  return std::vector<std::byte>(begin, begin + data->d_size);
}

std::vector<char> make_elf_image(std::span<const NamedSection> sections) {
  std::vector<char> image(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers(1);
  std::string names(1, '\0');
  auto add = [&](const std::string& name, uint32_t type, std::span<const char> bytes) {
    image.resize((image.size() + 7) / 8 * 8);
    headers.push_back({.sh_name = static_cast<Elf64_Word>(names.size()),
                       .sh_type = type,
                       .sh_flags = 0,
                       .sh_addr = 0,
                       .sh_offset = image.size(),
                       .sh_size = bytes.size(),
                       .sh_link = 0,
                       .sh_info = 0,
                       .sh_addralign = 1,
                       .sh_entsize = 0});
    image.insert(image.end(), bytes.begin(), bytes.end());
    names += name + '\0';
  };
  for (const NamedSection& section : sections)
    add(section.name, SHT_PROGBITS, {reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()});
  std::string own_name = ".shstrtab";
  std::string all_names = names + own_name + '\0';
  add(own_name, SHT_STRTAB, all_names);
  image.resize((image.size() + 7) / 8 * 8);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = native_architecture().elf_machine;
  header.e_version = EV_CURRENT;
  header.e_shoff = image.size();
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(headers.size());
  header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  std::memcpy(image.data(), &header, sizeof header);
  for (const Elf64_Shdr& each : headers) append(image, each);
  return image;
}

}  // namespace dscope
