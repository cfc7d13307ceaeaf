// SourceLines: which line of which file, and which inlined functions, an instruction of an executable comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/dwarf/debug_file.h"

namespace dscope {

class SourceLines {
 public:
  struct Place {
    std::string function;  // that was inlined there; empty: the one the symbol tells
    std::string file;      // without its directory
    int line = 0;
  };

  // As DebugFile::open. Null without libdw or debug information.
  static std::unique_ptr<SourceLines> open(const std::string& root, const std::string& path,
                                           const std::string& other_name);
  // Innermost first; the last one is in the function itself. `address` as the file has it. Empty if nothing is known.
  std::vector<Place> find(uint64_t address) const;

 private:
  explicit SourceLines(std::unique_ptr<DebugFile> file) : file_(std::move(file)) {}
  std::optional<Dwarf_Die> unit_of(uint64_t address) const;

  std::unique_ptr<DebugFile> file_;
};

}  // namespace dscope
