#include "runtime/dwarf/source_lines.h"

#include <dwarf.h>

#include <cstdlib>
#include <span>

namespace dscope {
namespace {

std::string base_name(const char* path) {
  std::string_view text = path != nullptr ? path : "";
  return std::string{text.substr(text.rfind('/') + 1)};
}

// Where the function that is inlined at `scope` was called.
SourceLines::Place call_place(const LibDw& dw, Dwarf_Die unit, const Dwarf_Die& scope) {
  SourceLines::Place place;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  auto file = dw.number(scope, DW_AT_call_file);
  if (file && dw.dwarf_getsrcfiles(&unit, &files, &count) == 0 && *file < count)
    place.file = base_name(dw.dwarf_filesrc(files, *file, nullptr, nullptr));
  place.line = static_cast<int>(dw.number(scope, DW_AT_call_line).value_or(0));
  return place;
}

struct ScopesFreer {
  void operator()(Dwarf_Die* scopes) const { std::free(scopes); }
};

}  // namespace

std::unique_ptr<SourceLines> SourceLines::open(const std::string& root, const std::string& path,
                                               const std::string& other_name) {
  const LibDw* dw = find_libdw();
  auto file = dw != nullptr ? DebugFile::open(*dw, root, path, other_name) : nullptr;
  return file != nullptr ? std::unique_ptr<SourceLines>{new SourceLines(std::move(file))} : nullptr;
}

// By the index of addresses, which not all compilers write, or else one by one.
std::optional<Dwarf_Die> SourceLines::unit_of(uint64_t address) const {
  const LibDw& dw = file_->dw();
  Dwarf_Die die;
  if (dw.dwarf_addrdie(file_->dwarf(), address, &die) != nullptr) return die;
  Dwarf_CU* unit = nullptr;
  while (dw.dwarf_get_units(file_->dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
    if (dw.dwarf_haspc(&die, address) == 1) return die;
  return std::nullopt;
}

std::vector<SourceLines::Place> SourceLines::find(uint64_t address) const {
  const LibDw& dw = file_->dw();
  std::vector<Place> places;
  auto unit = unit_of(address);
  if (!unit) return places;
  Dwarf_Line* line = dw.dwarf_getsrc_die(&*unit, address);
  if (line == nullptr) return places;
  Place place{.function = {}, .file = base_name(dw.dwarf_linesrc(line, nullptr, nullptr))};
  dw.dwarf_lineno(line, &place.line);
  Dwarf_Die entries = file_->split_part(*unit).value_or(*unit);
  Dwarf_Die* found = nullptr;
  int count = dw.dwarf_getscopes(&entries, address, &found);
  std::unique_ptr<Dwarf_Die, ScopesFreer> owner{found};
  for (Dwarf_Die& scope : std::span{found, count > 0 ? static_cast<size_t>(count) : 0}) {
    int tag = dw.dwarf_tag(&scope);
    if (tag == DW_TAG_subprogram) break;
    if (tag != DW_TAG_inlined_subroutine) continue;
    place.function = dw.name(scope);
    places.push_back(std::exchange(place, call_place(dw, *unit, scope)));
  }
  places.push_back(std::move(place));
  return places;
}

}  // namespace dscope
