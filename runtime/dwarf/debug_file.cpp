#include "runtime/dwarf/debug_file.h"

#include <dwarf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include "runtime/dwarf/elf_image.h"
#include "runtime/elf/debug_files.h"
#include "support/format.h"

namespace dscope {

namespace {

DebugReference debug_reference(const Fd& file) {
  ElfHandle elf{::elf_begin(file.get(), ELF_C_READ_MMAP, nullptr)};
  return elf ? read_debug_reference(elf.get()) : DebugReference{};
}

// The sections of debug information of a file that has some that zstd has compressed; empty if it has none.
std::vector<char> uncompressed_image(const Fd& file) {
  ElfHandle elf{::elf_begin(file.get(), ELF_C_READ_MMAP, nullptr)};
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return {};
  bool is_needed = false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;)
    is_needed |= is_compressed_by_zstd(section);
  std::vector<NamedSection> sections;
  for (Elf_Scn* section = nullptr; is_needed && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    const char* text = gelf_getshdr(section, &header) ? elf_strptr(elf.get(), names, header.sh_name) : nullptr;
    std::string_view name = text == nullptr ? "" : text;
    if (!name.starts_with(".debug_") && name != ".gnu_debugaltlink") continue;
    if (auto bytes = read_uncompressed(section)) sections.push_back({std::string{name}, std::move(*bytes)});
  }
  return sections.empty() ? std::vector<char>{} : make_elf_image(sections);
}

// A unit names the file of its part by an index into a table, or by the place of the string in its section.
bool is_index(unsigned form) {
  return form == DW_FORM_strx || form == DW_FORM_strx1 || form == DW_FORM_strx2 || form == DW_FORM_strx3 ||
         form == DW_FORM_strx4 || form == DW_FORM_GNU_str_index;
}

uint64_t read_index(unsigned form, std::span<const std::byte> at) {
  size_t bytes = form == DW_FORM_strx1   ? 1
                 : form == DW_FORM_strx2 ? 2
                 : form == DW_FORM_strx3 ? 3
                 : form == DW_FORM_strx4 ? 4
                                         : 0;
  uint64_t value = 0;
  for (size_t i = 0; i < at.size() && i < bytes; ++i) value |= std::to_integer<uint64_t>(at[i]) << (8 * i);
  for (size_t i = 0; bytes == 0 && i < at.size() && i < 9; ++i) {
    value |= (std::to_integer<uint64_t>(at[i]) & 0x7f) << (7 * i);
    if ((std::to_integer<unsigned>(at[i]) & 0x80) == 0) break;
  }
  return value;
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
  bool is_loaded = file->load(std::move(object));
  // Containers seldom have debug files; the host may.
  for (const std::string& place : {root, std::string{}})
    is_loaded = is_loaded || file->load(open_debug_file(reference, path, place));
  if (!is_loaded) return nullptr;
  file->take_over_parts(root, path);
  return file;
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
  elf_ = open_elf();
  if (elf_ == nullptr) return false;
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  return dwarf_ != nullptr && !section("debug_info").empty();
}

Elf* DebugFile::open_elf() {
  image_ = uncompressed_image(file_);
  return image_.empty() ? dw_.elf_begin(file_.get(), ELF_C_READ_MMAP, nullptr)
                        : dw_.elf_memory(image_.data(), image_.size());
}

Elf_Data* DebugFile::data_of(std::string_view name) const {
  size_t names = 0;
  if (dw_.elf_getshdrstrndx(elf_, &names) != 0) return nullptr;
  Elf_Scn* section = nullptr;
  while ((section = dw_.elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header;
    if (dw_.gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
    const char* text = dw_.elf_strptr(elf_, names, header.sh_name);
    std::string_view found = text != nullptr ? text : "";
    // ".zdebug_info" is how compressed ones were called; opening the DWARF has uncompressed them.
    if (!found.starts_with('.') || (found.substr(1) != name && (!found.starts_with(".z") || found.substr(2) != name)))
      continue;
    return dw_.elf_getdata(section, nullptr);
  }
  return nullptr;
}

std::span<const std::byte> DebugFile::section(std::string_view name) const {
  const Elf_Data* data = data_of(name);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const std::byte*>(data->d_buf), data->d_size};
}

// ---------------------------------------------------------------- parts in other files

std::optional<uint64_t> DebugFile::part_of(const Dwarf_Die& unit) const {
  uint8_t kind = 0;
  uint64_t id = 0;
  bool is_part = dw_.dwarf_cu_info(unit.cu, nullptr, &kind, nullptr, nullptr, &id, nullptr, nullptr) == 0 &&
                 kind == DW_UT_skeleton;
  return is_part ? std::optional{id} : std::nullopt;
}

// libdw looks for parts by the names in the program, and knows neither packages nor objects that are both. So it gets a
// program whose names are all that of one descriptor, behind which is what it is to find next.
void DebugFile::take_over_parts(const std::string& root, const std::string& path) {
  // Only split programs have one, or those of DWARF 5.
  if (section("debug_addr").empty()) return;
  auto parts = std::make_unique<SplitUnits>(root, path);
  std::vector<uint64_t> offsets;  // of units, which outlive the reader that found them
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dw_.dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    auto id = part_of(die);
    if (!id) continue;
    auto text = [&](unsigned attribute) {
      Dwarf_Attribute found;
      const char* value = dw_.dwarf_attr(&die, attribute, &found) != nullptr ? dw_.dwarf_formstring(&found) : nullptr;
      return std::string{value != nullptr ? value : ""};
    };
    std::string name = text(DW_AT_dwo_name);
    parts->add(*id, name.empty() ? text(DW_AT_GNU_dwo_name) : name, text(DW_AT_comp_dir));
    offsets.push_back(dw_.dwarf_dieoffset(&die));
  }
  part_ = Fd{offsets.empty() ? -1 : ::memfd_create("part", MFD_CLOEXEC)};
  if (!part_) return;
  std::string name = fmt::format("/proc/self/fd/{}", part_.get()) + '\0';
  std::map<std::string_view, uint64_t> new_names;
  for (std::string_view strings : {"debug_str", "debug_line_str"}) {
    new_names[strings] = section(strings).size();
    replace(strings, name);
  }
  replace("debug_info", {});
  replace("debug_str_offsets", {});
  dw_.dwarf_end(dwarf_);
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  for (uint64_t offset : offsets)
    if (dwarf_ != nullptr && dw_.dwarf_offdie(dwarf_, offset, &die) != nullptr) redirect(die, new_names);
  parts_ = std::move(parts);
}

// Makes a section one that can be written, with more behind it.
std::span<std::byte> DebugFile::replace(std::string_view name, std::string_view suffix) {
  Elf_Data* data = data_of(name);
  if (data == nullptr || data->d_buf == nullptr) return {};
  const auto* begin = static_cast<const std::byte*>(data->d_buf);
  const auto* more = reinterpret_cast<const std::byte*>(suffix.data());
  std::vector<std::byte>& copy = replaced_[std::string{name}];
  copy.assign(begin, begin + data->d_size);
  copy.insert(copy.end(), more, more + suffix.size());
  data->d_buf = copy.data();
  data->d_size = copy.size();
  return copy;
}

bool DebugFile::redirect(const Dwarf_Die& unit, const std::map<std::string_view, uint64_t>& new_names) {
  Dwarf_Die die = unit;
  Dwarf_Attribute attribute;
  if (dw_.dwarf_attr(&die, DW_AT_dwo_name, &attribute) == nullptr &&
      dw_.dwarf_attr(&die, DW_AT_GNU_dwo_name, &attribute) == nullptr)
    return false;
  std::vector<std::byte>& entries = replaced_["debug_info"];
  auto at = static_cast<size_t>(reinterpret_cast<const std::byte*>(attribute.valp) - entries.data());
  if (at >= entries.size()) return false;
  auto write = [](std::vector<std::byte>& to, uint64_t place, uint64_t value) {
    auto number = static_cast<uint32_t>(value);
    if (place > to.size() || to.size() - place < sizeof number) return false;
    std::memcpy(to.data() + place, &number, sizeof number);
    return true;
  };
  if (attribute.form == DW_FORM_strp) return write(entries, at, new_names.at("debug_str"));
  if (attribute.form == DW_FORM_line_strp) return write(entries, at, new_names.at("debug_line_str"));
  if (!is_index(attribute.form)) return false;
  constexpr uint64_t header = 8;
  uint64_t base = dw_.number(unit, DW_AT_str_offsets_base).value_or(header);
  uint64_t index = read_index(attribute.form, std::span{entries}.subspan(at));
  return write(replaced_["debug_str_offsets"], base + index * sizeof(uint32_t), new_names.at("debug_str"));
}

std::optional<Dwarf_Die> DebugFile::split_part(const Dwarf_Die& unit) const {
  auto id = part_of(unit);
  if (!id) return std::nullopt;
  if (parts_ != nullptr && provided_.insert(*id).second) {
    std::vector<char> image = parts_->image(*id);
    Fd file{image.empty() ? -1 : ::memfd_create("part", MFD_CLOEXEC)};
    bool is_written = file && ::write(file.get(), image.data(), image.size()) == static_cast<ssize_t>(image.size());
    if (!is_written || ::dup3(file.get(), part_.get(), O_CLOEXEC) < 0) return std::nullopt;
  }
  return dw_.split_part(unit);
}

std::optional<std::set<uint64_t>> DebugFile::parts_mentioning(std::string_view name) const {
  return parts_ != nullptr ? parts_->mentioning(name) : std::nullopt;
}

}  // namespace dscope
