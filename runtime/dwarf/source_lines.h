// SourceLines: the source line and the inlined functions that an instruction of an executable comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/dwarf/debug_file.h"

namespace dscope {

class SourceLines {
 public:
  struct Line {
    std::string function;  // the inlined function that contains the line; empty for the function of the symbol itself
    std::string file;      // without its directory
    int number = 0;
  };

  // Parameters as for DebugFile::open. Null if libdw is not installed or the file has no debug information.
  static std::unique_ptr<SourceLines> open(const std::string& root, const std::string& path,
                                           const std::string& other_name);
  // The line of the innermost inlined function first, then the lines of the inlined calls outwards; the last line is in
  // the function of the symbol. `address` is a virtual address of the file. Empty if the address has no line.
  std::vector<Line> find(uint64_t address) const;

 private:
  explicit SourceLines(std::unique_ptr<DebugFile> file) : file_(std::move(file)), rows_(file_->fd()) {}
  std::optional<Dwarf_Die> unit_of(uint64_t address) const;
  bool may_read_table(const Dwarf_Die& unit) const;

  std::unique_ptr<DebugFile> file_;
  mutable FileBudget rows_;            // for the line tables that libdw keeps
  mutable std::set<uint64_t> tables_;  // their offsets in .debug_line
};

}  // namespace dscope
