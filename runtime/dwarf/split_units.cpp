#include "runtime/dwarf/split_units.h"

#include <gelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "runtime/dwarf/elf_image.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr std::string_view suffix = ".dwo";

// The .dwo sections, uncompressed, and for a package its indexes.
std::vector<NamedSection> read_split_sections(Elf* elf, bool is_package, FileBudget& budget) {
  std::vector<NamedSection> sections;
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return sections;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (!budget.has_time()) break;
    const char* text = gelf_getshdr(section, &header) != nullptr ? elf_strptr(elf, names, header.sh_name) : nullptr;
    std::string_view name = text == nullptr ? "" : text;
    bool is_index = is_package && (name == ".debug_cu_index" || name == ".debug_tu_index");
    if (!name.ends_with(suffix) && !is_index) continue;
    auto bytes = read_uncompressed(section, budget);
    if (!bytes) continue;
    // Each type unit may have a section of its own; all of them form one section.
    auto known = std::ranges::find(sections, name, &NamedSection::name);
    if (known == sections.end()) sections.push_back({std::string{name}, std::move(*bytes)});
    else known->bytes.insert(known->bytes.end(), bytes->begin(), bytes->end());
  }
  if (budget.is_used_up()) sections.clear();
  return sections;
}

template <typename Number>
Number number_at(std::span<const std::byte> bytes, uint64_t at) {
  Number value = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof value) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::span<const std::byte> slice(std::span<const std::byte> bytes, uint64_t at, uint64_t size) {
  if (at > bytes.size()) return {};
  return bytes.subspan(at, std::min<uint64_t>(size, bytes.size() - at));
}

}  // namespace

// A package (.dwp). Its indexes state which piece of each section belongs to which unit; they have version 2 (GNU's
// extension before DWARF 5) or 5.
struct SplitUnits::Package {
  enum Column : uint32_t { Info = 1, Types = 2, Abbreviations = 3, Strings = 6 };
  struct Piece {
    uint32_t offset = 0, size = 0;
  };
  using Row = std::map<uint32_t, Piece>;  // by column

  explicit Package(std::vector<NamedSection> sections) : sections_(std::move(sections)) {
    units_ = read_index(".debug_cu_index");
    types_ = read_index(".debug_tu_index");
  }

  std::span<const std::byte> section(std::string_view name) const {
    for (const NamedSection& each : sections_)
      if (each.name == name) return each.bytes;
    return {};
  }

  std::map<uint64_t, Row> read_index(std::string_view name) {
    std::map<uint64_t, Row> rows;
    std::span<const std::byte> index = section(name);
    if (index.empty()) return rows;  // a package without type units has only one index
    version_ = number_at<uint16_t>(index, 0);
    uint64_t columns = number_at<uint32_t>(index, 4), units = number_at<uint32_t>(index, 8),
             slots = number_at<uint32_t>(index, 12);
    constexpr uint64_t header = 16, max_columns = 8;
    uint64_t ids = header, rows_at = ids + slots * 8, kinds = rows_at + slots * 4, offsets = kinds + columns * 4,
             sizes = offsets + units * columns * 4, end = sizes + units * columns * 4;
    if (columns > max_columns || slots > index.size() || units > index.size() || end > index.size()) return rows;
    for (uint64_t slot = 0; slot < slots; ++slot) {
      uint64_t number = number_at<uint32_t>(index, rows_at + slot * 4);  // counts from 1; 0: the slot is free
      if (number == 0 || number > units) continue;
      Row& row = rows[number_at<uint64_t>(index, ids + slot * 8)];
      for (uint64_t i = 0; i < columns; ++i) {
        uint64_t cell = ((number - 1) * columns + i) * 4;
        row[number_at<uint32_t>(index, kinds + i * 4)] = {number_at<uint32_t>(index, offsets + cell),
                                                          number_at<uint32_t>(index, sizes + cell)};
      }
    }
    return rows;
  }

  std::string_view column_name(uint32_t column) const {
    constexpr std::array<std::string_view, 9> old_names = {"",
                                                           ".debug_info.dwo",
                                                           ".debug_types.dwo",
                                                           ".debug_abbrev.dwo",
                                                           ".debug_line.dwo",
                                                           ".debug_loc.dwo",
                                                           ".debug_str_offsets.dwo",
                                                           ".debug_macinfo.dwo",
                                                           ".debug_macro.dwo"};
    constexpr std::array<std::string_view, 9> names = {"",
                                                       ".debug_info.dwo",
                                                       "",
                                                       ".debug_abbrev.dwo",
                                                       ".debug_line.dwo",
                                                       ".debug_loclists.dwo",
                                                       ".debug_str_offsets.dwo",
                                                       ".debug_macro.dwo",
                                                       ".debug_rnglists.dwo"};
    constexpr uint16_t with_old_names = 2;
    return column < names.size() ? (version_ == with_old_names ? old_names : names)[column] : "";
  }

  std::span<const std::byte> bytes_of(uint32_t column, const Row& row) const {
    auto piece = row.find(column);
    if (piece == row.end()) return {};
    return slice(section(column_name(column)), piece->second.offset, piece->second.size);
  }

  // Bytes before the offsets of strings: length, version, padding.
  uint64_t strings_header() const { return version_ == 2 ? 0 : 8; }

  // Adds the strings of one unit, copied out of those of the whole package, and their new offsets.
  void add_strings(const Row& row, std::vector<NamedSection>& to) const {
    std::span<const std::byte> all = section(".debug_str.dwo"), old = bytes_of(Strings, row);
    std::vector<std::byte> offsets(old.begin(), old.end()), strings;
    for (uint64_t at = strings_header(); at + sizeof(uint32_t) <= offsets.size(); at += sizeof(uint32_t)) {
      std::span<const std::byte> text = slice(all, number_at<uint32_t>(old, at), all.size());
      text = text.first(::strnlen(reinterpret_cast<const char*>(text.data()), text.size()));
      auto new_offset = static_cast<uint32_t>(strings.size());
      std::memcpy(offsets.data() + at, &new_offset, sizeof new_offset);
      strings.insert(strings.end(), text.begin(), text.end());
      strings.push_back(std::byte{0});
    }
    to.push_back({".debug_str_offsets.dwo", std::move(offsets)});
    to.push_back({".debug_str.dwo", std::move(strings)});
  }

  std::vector<char> image(uint64_t id) const {
    auto found = units_.find(id);
    if (found == units_.end()) return {};
    const Row& row = found->second;
    std::vector<NamedSection> sections;
    for (const auto& [column, piece] : row) {
      if (column == Strings || column == Types) continue;
      std::span<const std::byte> bytes = bytes_of(column, row);
      sections.push_back({std::string{column_name(column)}, {bytes.begin(), bytes.end()}});
    }
    add_strings(row, sections);
    add_types(row, sections);
    return make_elf_image(sections);
  }

  // Adds the type units that were compiled with the unit: they share its abbreviations and strings.
  void add_types(const Row& row, std::vector<NamedSection>& to) const {
    auto abbreviations = row.find(Abbreviations);
    if (abbreviations == row.end() || types_.empty()) return;
    uint32_t column = version_ == 2 ? Types : Info;
    std::vector<std::byte> bytes;
    for (const auto& [signature, type] : types_) {
      auto own_abbreviations = type.find(Abbreviations);
      if (own_abbreviations == type.end() || own_abbreviations->second.offset != abbreviations->second.offset) continue;
      std::span<const std::byte> own = bytes_of(column, type);
      bytes.insert(bytes.end(), own.begin(), own.end());
    }
    std::string name{column_name(column)};
    auto known = std::ranges::find(to, name, &NamedSection::name);
    if (known == to.end()) to.push_back({name, std::move(bytes)});
    else known->bytes.insert(known->bytes.end(), bytes.begin(), bytes.end());
  }

  std::set<uint64_t> units_mentioning(std::string_view name) const {
    std::set<uint64_t> found;
    std::span<const std::byte> all = section(".debug_str.dwo");
    std::string_view text{reinterpret_cast<const char*>(all.data()), all.size()};
    std::string wanted = std::string{name} + '\0';
    std::set<uint32_t> occurrences;
    for (size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1))
      occurrences.insert(static_cast<uint32_t>(at));
    if (occurrences.empty()) return found;
    for (const auto& [id, row] : units_) {
      std::span<const std::byte> offsets = bytes_of(Strings, row);
      for (uint64_t at = strings_header(); at + sizeof(uint32_t) <= offsets.size(); at += sizeof(uint32_t))
        if (occurrences.contains(number_at<uint32_t>(offsets, at))) {
          found.insert(id);
          break;
        }
    }
    return found;
  }

 private:
  std::vector<NamedSection> sections_;
  uint16_t version_ = 0;
  std::map<uint64_t, Row> units_, types_;
};

SplitUnits::SplitUnits(std::string root, std::string path) : root_(std::move(root)), path_(std::move(path)) {
  const std::string package = path_ + ".dwp", separate = "/usr/lib/debug" + package;
  const std::array<std::pair<std::string, std::string>, 4> candidates = {
      {{root_, package}, {{}, package}, {root_, separate}, {{}, separate}}};
  for (const auto& [directory, candidate] : candidates) {
    Fd file = open_in_root(directory, candidate);
    FileBudget budget(file.get());
    ElfHandle elf = open_elf(file.get(), budget);
    if (!elf) continue;
    package_ = std::make_unique<Package>(read_split_sections(elf.get(), true, budget));
    return;
  }
}

SplitUnits::~SplitUnits() = default;

void SplitUnits::add(uint64_t id, std::string name, std::string directory) {
  locations_[id] = {std::move(name), std::move(directory)};
}

Fd SplitUnits::open_file(const Location& location) const {
  const std::string& name = location.name;
  std::vector<std::string> candidates{name};
  if (!name.starts_with('/'))
    candidates = {path_.substr(0, path_.rfind('/') + 1) + name, location.directory + "/" + name};
  for (const std::string& candidate : candidates)
    for (const std::string& root : {root_, std::string{}})
      if (Fd file = open_in_root(root, candidate)) return file;
  return Fd{};
}

std::vector<char> SplitUnits::from_file(const Fd& file) const {
  FileBudget budget(file.get());
  ElfHandle elf = open_elf(file.get(), budget);
  if (!elf) return {};
  std::vector<NamedSection> sections = read_split_sections(elf.get(), false, budget);
  return sections.empty() ? std::vector<char>{} : make_elf_image(sections);
}

std::vector<char> SplitUnits::image(uint64_t id) {
  std::vector<char> image = package_ != nullptr ? package_->image(id) : std::vector<char>{};
  auto location = locations_.find(id);
  if (!image.empty() || location == locations_.end()) return image;
  image = from_file(open_file(location->second));
  if (image.empty()) missing_.insert(location->second.name);
  return image;
}

std::optional<std::set<uint64_t>> SplitUnits::units_mentioning(std::string_view name) {
  return package_ != nullptr ? std::optional{package_->units_mentioning(name)} : std::nullopt;
}

std::string SplitUnits::missing() const {
  if (missing_.empty()) return {};
  std::string_view more = missing_.size() > 1 ? " and others" : "";
  return fmt::format("{}{}", *missing_.begin(), more);
}

}  // namespace dscope
