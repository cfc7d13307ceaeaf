// SplitUnits: the units of a program's debug information that -gsplit-dwarf puts into other files: .dwo files, objects
// with .dwo sections (-gsplit-dwarf=single), or one package (.dwp). Makes an ELF image of each unit that libdw reads as
// a .dwo file. Private to runtime/dwarf.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/debug_files.h"
#include "support/fd.h"

namespace dscope {

class SplitUnits {
 public:
  // `path`: the program as its process knows it. `root`: a path to the root directory of the process.
  SplitUnits(std::string root, std::string path);
  ~SplitUnits();
  SplitUnits(const SplitUnits&) = delete;
  SplitUnits& operator=(const SplitUnits&) = delete;

  // Adds the unit `id`, with the file name and the compilation directory that its skeleton unit states.
  void add(uint64_t id, std::string name, std::string directory);
  // The ELF image of a unit; empty if no file has it.
  std::vector<char> image(uint64_t id);
  // The ids of the units in the package that may mention a name; nothing if there is no package.
  std::optional<std::set<uint64_t>> units_mentioning(std::string_view name);
  // The first file that image() did not find, followed by " and others" if there are more; empty if all were found.
  std::string missing() const;

 private:
  struct Package;
  std::vector<char> from_file(const Fd& file) const;
  struct Location {
    std::string name, directory;
  };
  Fd open_file(const Location& location) const;

  std::string root_, path_;
  std::map<uint64_t, Location> locations_;  // by id
  std::set<std::string> missing_;
  std::unique_ptr<Package> package_;  // null if there is none
};

}  // namespace dscope
