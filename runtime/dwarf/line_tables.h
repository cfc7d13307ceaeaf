// LineTables: which instructions begin which source lines, from .debug_line (DWARF 2 to 5). An own reader, because
// libdw has no limits of its own and keeps all rows of every table that it touches: here only the tables of wanted
// files are kept. The file is not trusted: damaged tables end early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct LineSections {
  std::span<const std::byte> lines;                  // .debug_line
  std::span<const std::byte> line_strings, strings;  // .debug_line_str, .debug_str
};

// From `address` on, the instructions belong to the line.
struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0;  // index into LineTable::files
  uint32_t line = 0;
  bool is_statement = false;   // a good place for a breakpoint
  bool ends_prologue = false;  // a good place for a breakpoint on the function
  bool ends_sequence = false;  // no line: the address is behind the last instruction of the sequence
  bool operator==(const LineRow&) const = default;
};

struct LineTable {
  std::vector<std::string> files;  // paths, as the compiler knew them
  std::vector<LineRow> rows;       // in the order of the table: ascending within each sequence
};

class LineTables {
 public:
  // The bytes behind `sections` and `budget` must outlive this object.
  LineTables(LineSections sections, FileBudget& budget) : sections_(sections), budget_(budget) {}

  // The tables that have a wanted file, in the order of the section. Valid as long as this object.
  std::vector<const LineTable*> find(const std::function<bool(std::string_view path)>& is_wanted);

 private:
  LineSections sections_;
  FileBudget& budget_;
  std::map<size_t, LineTable> tables_;  // with rows, by offset
};

}  // namespace dscope
