// SplitUnits: the parts of a program's debug information that -gsplit-dwarf puts into other files: .dwo files, objects
// with such sections (-gsplit-dwarf=single), or all in one package (.dwp). Makes an object of each part that libdw can
// read beside the program. Private to runtime/dwarf.
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
  // `path` of the program as its process calls it, `root` what leads to the process's root directory.
  SplitUnits(std::string root, std::string path);
  ~SplitUnits();
  SplitUnits(const SplitUnits&) = delete;
  SplitUnits& operator=(const SplitUnits&) = delete;

  // Where the program says that a part is.
  void add(uint64_t id, std::string name, std::string directory);
  // The ELF image of a part; empty if it is not to be had.
  std::vector<char> image(uint64_t id);
  // The parts of a package that may mention a name; nothing if that is not known without looking at each.
  std::optional<std::set<uint64_t>> mentioning(std::string_view name);
  // The first file of those that image() has looked for in vain, and how many; empty: none.
  std::string missing() const;

 private:
  struct Package;
  std::vector<char> from_file(const Fd& file) const;
  Fd open_part(const std::string& name, const std::string& directory) const;

  struct Place {
    std::string name, directory;
  };
  std::string root_, path_;
  std::map<uint64_t, Place> places_;
  std::set<std::string> missing_;
  std::unique_ptr<Package> package_;  // null: there is none
};

}  // namespace dscope
