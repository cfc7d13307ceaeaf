#include "runtime/dwarf/debug_file.h"

#include <dwarf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include "runtime/dwarf/elf_image.h"
#include "runtime/dwarf/section_sizes.h"
#include "runtime/elf/debug_files.h"
#include "support/format.h"

namespace dscope {

namespace {

DebugReference debug_reference(const Fd& file) {
  FileBudget budget(file.get());
  ElfHandle elf = open_elf(file.get(), budget);
  return elf ? read_debug_reference(elf.get(), budget) : DebugReference{};
}

// An ELF image with the uncompressed debug sections of the file; empty unless zstd has compressed some of them, which
// libelf reads only since elfutils 0.189.
std::vector<char> uncompressed_image(const Fd& file, FileBudget& budget) {
  ElfHandle elf = open_elf(file.get(), budget);
  size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return {};
  bool is_needed = false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;)
    is_needed |= is_compressed_by_zstd(section, budget);
  std::vector<NamedSection> sections;
  for (Elf_Scn* section = nullptr; is_needed && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    const char* text = gelf_getshdr(section, &header) ? elf_strptr(elf.get(), names, header.sh_name) : nullptr;
    std::string_view name = text == nullptr ? "" : text;
    if (!name.starts_with(".debug_") && name != ".gnu_debugaltlink") continue;
    if (auto bytes = read_uncompressed(section, budget)) sections.push_back({std::string{name}, std::move(*bytes)});
  }
  return sections.empty() ? std::vector<char>{} : make_elf_image(sections);
}

// Whether a skeleton unit states its file name as an index into .debug_str_offsets rather than as an offset of the
// string.
bool is_index(unsigned form) {
  return form == DW_FORM_strx || form == DW_FORM_strx1 || form == DW_FORM_strx2 || form == DW_FORM_strx3 ||
         form == DW_FORM_strx4 || form == DW_FORM_GNU_str_index;
}

// The index at the start of `at`: of fixed size, or ULEB128.
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
  // `path` may lead to a newer version of the program than the one that runs.
  Fd object = open_regular(other_name);
  if (!object) object = open_in_root(root, path);
  if (!object) return nullptr;
  ::elf_version(EV_CURRENT);
  DebugReference reference = debug_reference(object);
  bool is_loaded = file->load(std::move(object));
  // Containers seldom have debug files, but the host may have them.
  for (const std::string& candidate : {root, std::string{}})
    is_loaded = is_loaded || file->load(open_debug_file(reference, path, candidate));
  if (!is_loaded) return nullptr;
  file->redirect_skeletons(root, path);
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

// False if the file has no .debug_info.
bool DebugFile::load(Fd file) {
  close();
  if (!file) return false;
  file_ = std::move(file);
  budget_ = FileBudget(file_.get());
  if (!debug_sections_fit(file_.get(), budget_)) return false;
  elf_ = open_image();
  if (elf_ == nullptr || budget_.is_used_up()) return false;
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  if (dwarf_ != nullptr) terminate_names();
  return dwarf_ != nullptr && !section("debug_info").empty();
}

// libdw returns names whose section ends before their NUL (in strings at least until elfutils 0.188): a NUL behind the
// section ends them. Most sections end with one.
void DebugFile::terminate_names() {
  bool has_copies = false;
  for (std::string_view name : {"debug_info", "debug_types", "debug_str", "debug_line_str"}) {
    std::span<const std::byte> bytes = section(name);
    if (bytes.empty() || bytes.back() == std::byte{}) continue;
    copy_section(name, std::string_view{"\0", 1});
    --data_of(name)->d_size;
    has_copies = true;
  }
  if (!has_copies) return;
  dw_.dwarf_end(dwarf_);
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
}

Elf* DebugFile::open_image() {
  image_ = uncompressed_image(file_, budget_);
  return image_.empty() ? dw_.elf_begin(file_.get(), ELF_C_READ, nullptr)
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
    // Old toolchains named compressed sections ".zdebug_info"; dwarf_begin_elf() has uncompressed them.
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

// ---------------------------------------------------------------- split units

std::optional<uint64_t> DebugFile::split_unit_id(const Dwarf_Die& unit) const {
  uint8_t kind = 0;
  uint64_t id = 0;
  bool is_skeleton = dw_.dwarf_cu_info(unit.cu, nullptr, &kind, nullptr, nullptr, &id, nullptr, nullptr) == 0 &&
                     kind == DW_UT_skeleton;
  return is_skeleton ? std::optional{id} : std::nullopt;
}

// Adds the files that skeleton units name. Returns the offsets of these units, which stay valid when the DWARF is
// opened again.
std::vector<uint64_t> DebugFile::collect_skeletons(SplitUnits& split_units) const {
  std::vector<uint64_t> offsets;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (budget_.has_time() && dw_.dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    auto id = split_unit_id(die);
    if (!id) continue;
    auto text = [&](unsigned attribute) {
      Dwarf_Attribute found;
      const char* value = dw_.dwarf_attr(&die, attribute, &found) != nullptr ? dw_.dwarf_formstring(&found) : nullptr;
      return std::string{value != nullptr ? value : ""};
    };
    std::string name = text(DW_AT_dwo_name);
    split_units.add(*id, name.empty() ? text(DW_AT_GNU_dwo_name) : name, text(DW_AT_comp_dir));
    offsets.push_back(dw_.dwarf_dieoffset(&die));
  }
  return offsets;
}

// libdw opens split files by the names in the skeleton units, and reads neither packages (.dwp) nor objects that hold
// both the program and the split unit. So all skeletons are changed to name one descriptor, and split_unit() puts the
// right file behind it before libdw opens it.
void DebugFile::redirect_skeletons(const std::string& root, const std::string& path) {
  // Only split programs and those of DWARF 5 have this section.
  if (section("debug_addr").empty()) return;
  auto split_units = std::make_unique<SplitUnits>(root, path);
  std::vector<uint64_t> offsets = collect_skeletons(*split_units);
  split_file_ = Fd{offsets.empty() ? -1 : ::memfd_create("split", MFD_CLOEXEC)};
  if (!split_file_) return;
  std::string name = fmt::format("/proc/self/fd/{}", split_file_.get()) + '\0';
  std::map<std::string_view, uint64_t> new_names;
  for (std::string_view strings : {"debug_str", "debug_line_str"}) {
    new_names[strings] = section(strings).size();
    copy_section(strings, name);
  }
  copy_section("debug_info", {});
  copy_section("debug_str_offsets", {});
  dw_.dwarf_end(dwarf_);
  dwarf_ = dw_.dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  Dwarf_Die die;
  for (uint64_t offset : offsets)
    if (dwarf_ != nullptr && dw_.dwarf_offdie(dwarf_, offset, &die) != nullptr) redirect(die, new_names);
  split_units_ = std::move(split_units);
}

// Makes libdw read a section from a writable copy, to which `suffix` is appended.
void DebugFile::copy_section(std::string_view name, std::string_view suffix) {
  Elf_Data* data = data_of(name);
  if (data == nullptr || data->d_buf == nullptr) return;
  const auto* begin = static_cast<const std::byte*>(data->d_buf);
  const auto* more = reinterpret_cast<const std::byte*>(suffix.data());
  std::vector<std::byte>& copy = copies_[std::string{name}];
  copy.assign(begin, begin + data->d_size);
  copy.insert(copy.end(), more, more + suffix.size());
  data->d_buf = copy.data();
  data->d_size = copy.size();
}

// Changes the file name of a skeleton unit. `new_names`: offset of the new name in each section of strings.
bool DebugFile::redirect(const Dwarf_Die& unit, const std::map<std::string_view, uint64_t>& new_names) {
  Dwarf_Die die = unit;
  Dwarf_Attribute attribute;
  if (dw_.dwarf_attr(&die, DW_AT_dwo_name, &attribute) == nullptr &&
      dw_.dwarf_attr(&die, DW_AT_GNU_dwo_name, &attribute) == nullptr)
    return false;
  std::vector<std::byte>& entries = copies_["debug_info"];
  auto at = static_cast<size_t>(reinterpret_cast<const std::byte*>(attribute.valp) - entries.data());
  if (at >= entries.size()) return false;
  auto write = [](std::vector<std::byte>& to, uint64_t offset, uint64_t value) {
    auto number = static_cast<uint32_t>(value);
    if (offset > to.size() || to.size() - offset < sizeof number) return false;
    std::memcpy(to.data() + offset, &number, sizeof number);
    return true;
  };
  if (attribute.form == DW_FORM_strp) return write(entries, at, new_names.at("debug_str"));
  if (attribute.form == DW_FORM_line_strp) return write(entries, at, new_names.at("debug_line_str"));
  if (!is_index(attribute.form)) return false;
  constexpr uint64_t header = 8;
  uint64_t base = dw_.number(unit, DW_AT_str_offsets_base).value_or(header);
  uint64_t index = read_index(attribute.form, std::span{entries}.subspan(at));
  return write(copies_["debug_str_offsets"], base + index * sizeof(uint32_t), new_names.at("debug_str"));
}

std::optional<Dwarf_Die> DebugFile::split_unit(const Dwarf_Die& unit) const {
  auto id = split_unit_id(unit);
  if (!id) return std::nullopt;
  if (split_units_ != nullptr && provided_.insert(*id).second) {
    std::vector<char> image = split_units_->image(*id);
    Fd file{image.empty() ? -1 : ::memfd_create("split", MFD_CLOEXEC)};
    bool is_written = file && ::write(file.get(), image.data(), image.size()) == static_cast<ssize_t>(image.size());
    if (!is_written || ::dup3(file.get(), split_file_.get(), O_CLOEXEC) < 0) return std::nullopt;
  }
  return dw_.split_unit(unit);
}

std::optional<std::set<uint64_t>> DebugFile::split_units_mentioning(std::string_view name) const {
  return split_units_ != nullptr ? split_units_->units_mentioning(name) : std::nullopt;
}

}  // namespace dscope
