#include "runtime/dwarf/debug_file.h"

#include <utility>

#include "runtime/symbols/debug_files.h"

namespace dscope {

namespace {

DebugReference debug_reference(const Fd& file) {
  ElfHandle elf{::elf_begin(file.get(), ELF_C_READ_MMAP, nullptr)};
  return elf ? read_debug_reference(elf.get()) : DebugReference{};
}

}  // namespace

std::unique_ptr<DebugFile> DebugFile::open(const LibDw& dw, const std::string& root, const std::string& path,
                                           const std::string& other_name) {
  std::unique_ptr<DebugFile> file{new DebugFile(dw)};
  // By its path there may be another one meanwhile, as a new version of the program.
  Fd object = open_regular(other_name);
  if (!object) object = open_regular(root + path);
  if (!object) return nullptr;
  ::elf_version(EV_CURRENT);
  DebugReference reference = debug_reference(object);
  if (file->load(std::move(object))) return file;
  // Containers seldom have debug files; the host may.
  for (const std::string& place : {root, std::string{}})
    if (file->load(open_debug_file(reference, path, place))) return file;
  return nullptr;
}

DebugFile::~DebugFile() { close(); }

void DebugFile::close() {
  if (dwarf_ != nullptr) dw_.dwarf_end(dwarf_);
  if (elf_ != nullptr) dw_.elf_end(elf_);
  dwarf_ = nullptr;
  elf_ = nullptr;
  file_.reset();
}

// False if the file holds no type information.
bool DebugFile::load(Fd file) {
  close();
  if (!file) return false;
  file_ = std::move(file);
  elf_ = dw_.elf_begin(file_.get(), ELF_C_READ_MMAP, nullptr);
  if (elf_ == nullptr) return false;
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  return dwarf_ != nullptr && !section("debug_info").empty();
}

std::span<const std::byte> DebugFile::section(std::string_view name) const {
  size_t names = 0;
  if (dw_.elf_getshdrstrndx(elf_, &names) != 0) return {};
  Elf_Scn* section = nullptr;
  while ((section = dw_.elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header;
    if (dw_.gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* text = dw_.elf_strptr(elf_, names, header.sh_name);
    std::string_view found = text != nullptr ? text : "";
    // ".zdebug_info" is how compressed ones were called; opening the DWARF has uncompressed them.
    if (!found.starts_with('.') || (found.substr(1) != name && (!found.starts_with(".z") || found.substr(2) != name)))
      continue;
    const Elf_Data* data = dw_.elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const std::byte*>(data->d_buf), data->d_size};
  }
  return {};
}

}  // namespace dscope
