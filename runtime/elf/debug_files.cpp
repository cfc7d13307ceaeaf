#include "runtime/elf/debug_files.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "runtime/elf/decompression.h"
#include "support/format.h"

namespace dscope {

namespace {

// An image of this size holds millions of symbols; a larger one is an attack.
constexpr size_t max_image_size = size_t{256} << 20;

std::string read_build_id(Elf_Data* data) {
  GElf_Nhdr note;
  size_t name_at = 0, content_at = 0;
  std::string build_id;
  for (size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &content_at)) > 0;) {
    const char* buffer = static_cast<const char*>(data->d_buf);
    constexpr size_t max_id = 1024;
    bool is_build_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= max_id &&
                       std::memcmp(buffer + name_at, "GNU", 4) == 0;
    if (!is_build_id || !build_id.empty()) continue;
    for (size_t i = 0; i < note.n_descsz; ++i)
      build_id += fmt::format("{:02x}", static_cast<unsigned char>(buffer[content_at + i]));
  }
  return build_id;
}

// The section holds the file name, NUL, up to three bytes of padding, and the checksum in the last four bytes.
void read_debug_link(Elf_Data* data, DebugReference& result) {
  if (!data->d_buf || data->d_size < 8) return;
  const char* text = static_cast<const char*>(data->d_buf);
  std::string_view name{text, ::strnlen(text, data->d_size - 4)};
  // The format allows only a file name; a path could lead anywhere.
  if (name.find('/') != std::string_view::npos) return;
  result.link = name;
  std::memcpy(&result.link_crc, text + data->d_size - 4, 4);
}

// Compares no more than `name`, because the names of a hostile file may be long and shared by many sections.
bool is_named(Elf* elf, const GElf_Shdr& header, std::string_view name) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  const char* found = elf_strptr(elf, names, header.sh_name);
  return found != nullptr && std::strncmp(found, name.data(), name.size()) == 0 && found[name.size()] == '\0';
}

// Nothing if the file exceeds its budget: a file without data on the disk may have 10 TB.
std::optional<uint32_t> checksum(int fd) {
  FileBudget budget(fd);
  uLong crc = ::crc32(0, nullptr, 0);
  std::vector<unsigned char> buffer(size_t{1} << 16);
  off_t at = 0;
  for (ssize_t got; (got = ::pread(fd, buffer.data(), buffer.size(), at)) > 0; at += got) {
    if (!budget.take(static_cast<uint64_t>(got)) || !budget.check_clock()) return std::nullopt;
    crc = ::crc32(crc, buffer.data(), static_cast<uInt>(got));
  }
  return static_cast<uint32_t>(crc);
}

// O_PATH descriptors have no effect on what they name.
Fd reopen_if_regular(Fd found) {
  struct stat status;
  if (!found || ::fstat(found.get(), &status) != 0 || !S_ISREG(status.st_mode)) return Fd{};
  return Fd{::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), O_RDONLY | O_CLOEXEC)};
}

// The name alone is no proof: the user of a process can mount any file there.
bool has_build_id(const Fd& file, const std::string& id) {
  FileBudget budget(file.get());
  ElfHandle elf = open_elf(file.get(), budget);
  return elf && read_debug_reference(elf.get(), budget).build_id == id;
}

Fd open_linked(const DebugReference& reference, const std::string& path, const std::string& root) {
  std::string directory = path.substr(0, path.rfind('/') + 1);
  std::array<std::string, 3> candidates = {directory, directory + ".debug/", "/usr/lib/debug" + directory};
  for (const std::string& candidate : candidates) {
    std::string linked = candidate + reference.link;
    // A file stripped in the wrong order links to itself.
    if (linked == path) continue;
    Fd fd = open_in_root(root, linked);
    if (fd && checksum(fd.get()) == reference.link_crc) return fd;
  }
  return Fd{};
}

}  // namespace

Elf_Scn* find_section(Elf* elf, std::string_view name) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && is_named(elf, header, name)) return section;
  }
  return nullptr;
}

DebugReference read_debug_reference(Elf* elf, FileBudget& budget) {
  DebugReference result;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (!budget.has_time()) break;
    if (!gelf_getshdr(section, &header)) continue;
    bool is_link = header.sh_type == SHT_PROGBITS && is_named(elf, header, ".gnu_debuglink");
    if (!is_link && header.sh_type != SHT_NOTE) continue;
    Elf_Data* data = section_data(section, budget);
    if (!data) continue;
    if (is_link) read_debug_link(data, result);
    else if (result.build_id.empty()) result.build_id = read_build_id(data);
  }
  return result;
}

Fd open_regular(const std::string& path) { return reopen_if_regular(Fd{::open(path.c_str(), O_PATH | O_CLOEXEC)}); }

Fd find_in_root(const Fd& root, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return Fd{static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof how))};
}

Fd open_in_root(const std::string& root, const std::string& path) {
  Fd directory{::open(root.empty() ? "/" : root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  return directory ? reopen_if_regular(find_in_root(directory, path)) : Fd{};
}

std::string read_in_root(const std::string& root, const std::string& path, size_t max_size) {
  Fd file = open_in_root(root, path);
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0 || static_cast<size_t>(status.st_size) > max_size) return {};
  std::string text(static_cast<size_t>(status.st_size), '\0');
  ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, size)));
  return text;
}

Fd open_debug_file(const DebugReference& reference, const std::string& path, const std::string& root) {
  const std::string& id = reference.build_id;
  if (id.size() >= 4) {
    Fd fd = open_in_root(root, fmt::format("/usr/lib/debug/.build-id/{}/{}.debug", id.substr(0, 2), id.substr(2)));
    if (fd && has_build_id(fd, id)) return fd;
  }
  if (reference.link.empty() || path.empty() || path[0] != '/') return Fd{};
  return open_linked(reference, path, root);
}

std::vector<char> read_compressed_symbols(Elf* elf, FileBudget& budget) {
  Elf_Scn* section = find_section(elf, ".gnu_debugdata");
  Elf_Data* data = section ? section_data(section, budget) : nullptr;
  if (data == nullptr) return {};
  size_t max_size = std::min<size_t>(max_image_size, budget.bytes_left());
  std::vector<char> image = decompress_xz({static_cast<const std::byte*>(data->d_buf), data->d_size}, max_size);
  return budget.take(image.size()) ? image : std::vector<char>{};
}

// The path alone proves nothing: another file may have replaced the mapped one, or be mounted over it in the namespace
// of the process. Devices are not compared: on overlayfs and btrfs, stat(2) reports others than maps.
Fd open_mapped_file(uint32_t pid, const Mapping& mapping) {
  if (Fd file = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping.start, mapping.end))) return file;
  if (mapping.is_deleted || !mapping.is_file()) return Fd{};
  Fd file = open_in_root(fmt::format("/proc/{}/root", pid), mapping.path);
  struct stat status{};
  bool is_mapped = file && ::fstat(file.get(), &status) == 0 && status.st_ino == mapping.inode;
  return is_mapped ? std::move(file) : Fd{};
}

}  // namespace dscope
