#include "runtime/dwarf/source_lines.h"

#include <dwarf.h>

#include <cstdlib>
#include <span>

#include "runtime/dwarf/section_sizes.h"

namespace dscope {
namespace {

std::string base_name(const char* path) {
  std::string_view text = path != nullptr ? path : "";
  return std::string{text.substr(text.rfind('/') + 1)};
}

// The line that calls the function inlined at `scope`.
SourceLines::Line call_line(const LibDw& dw, Dwarf_Die unit, const Dwarf_Die& scope) {
  SourceLines::Line line;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  auto file = dw.number(scope, DW_AT_call_file);
  if (file && dw.dwarf_getsrcfiles(&unit, &files, &count) == 0 && *file < count)
    line.file = base_name(dw.dwarf_filesrc(files, *file, nullptr, nullptr));
  line.number = static_cast<int>(dw.number(scope, DW_AT_call_line).value_or(0));
  return line;
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

// Looks the unit up in the index of addresses (.debug_aranges); Clang writes none by default, so a linear search
// follows.
std::optional<Dwarf_Die> SourceLines::unit_of(uint64_t address) const {
  const LibDw& dw = file_->dw();
  Dwarf_Die die;
  if (dw.dwarf_addrdie(file_->dwarf(), address, &die) != nullptr) return die;
  Dwarf_CU* unit = nullptr;
  while (file_->budget().has_time() &&
         dw.dwarf_get_units(file_->dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0)
    if (dw.dwarf_haspc(&die, address) == 1) return die;
  return std::nullopt;
}

bool SourceLines::may_read_table(const Dwarf_Die& unit) const {
  auto table = file_->dw().number(unit, DW_AT_stmt_list);
  bool is_new = table && tables_.insert(*table).second;
  if (is_new) rows_.take(size_of_rows(file_->section("debug_line"), *table));
  return !rows_.is_used_up();
}

std::vector<SourceLines::Line> SourceLines::find(uint64_t address) const {
  const LibDw& dw = file_->dw();
  std::vector<Line> lines;
  file_->budget().restart_clock();
  rows_.restart_clock();
  auto unit = unit_of(address);
  if (!unit) return lines;
  if (!may_read_table(*unit)) return lines;
  Dwarf_Line* row = dw.dwarf_getsrc_die(&*unit, address);
  if (row == nullptr) return lines;
  Line line{.function = {}, .file = base_name(dw.dwarf_linesrc(row, nullptr, nullptr))};
  dw.dwarf_lineno(row, &line.number);
  Dwarf_Die entries = file_->split_unit(*unit).value_or(*unit);
  Dwarf_Die* found = nullptr;
  int count = dw.dwarf_getscopes(&entries, address, &found);
  std::unique_ptr<Dwarf_Die, ScopesFreer> owner{found};
  for (Dwarf_Die& scope : std::span{found, count > 0 ? static_cast<size_t>(count) : 0}) {
    int tag = dw.dwarf_tag(&scope);
    if (tag == DW_TAG_subprogram) break;
    if (tag != DW_TAG_inlined_subroutine) continue;
    line.function = dw.name(scope);
    lines.push_back(std::exchange(line, call_line(dw, *unit, scope)));
  }
  lines.push_back(std::move(line));
  return lines;
}

}  // namespace dscope
