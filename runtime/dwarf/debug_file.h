// DebugFile: the debug information (DWARF) of one executable or shared library, in the file itself or in a separate one
// that its build id or its .gnu_debuglink leads to, and in those that -gsplit-dwarf makes. Opened as it is asked for;
// nothing is read ahead.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/dwarf/libdw.h"
#include "runtime/dwarf/split_units.h"
#include "support/fd.h"

namespace dscope {

class DebugFile {
 public:
  // `path` as the process calls the file, `root` what leads to the process's root directory ("/proc/1/root"),
  // `other_name` a name by which the kernel gives the very file that the process uses, if it does. Null if there is no
  // type information.
  static std::unique_ptr<DebugFile> open(const LibDw& dw, const std::string& root, const std::string& path,
                                         const std::string& other_name);
  ~DebugFile();
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  const LibDw& dw() const { return dw_; }
  Dwarf* dwarf() const { return dwarf_; }
  // Its bytes, uncompressed; empty if there is no such section. `name` without the dot: "debug_info".
  std::span<const std::byte> section(std::string_view name) const;

  // What tells the part of a unit whose entries are in another file; nothing: they are in the unit.
  std::optional<uint64_t> part_of(const Dwarf_Die& unit) const;
  // Where the entries of such a unit are; nothing if that file is not to be had.
  std::optional<Dwarf_Die> split_part(const Dwarf_Die& unit) const;
  // The parts that may mention a name; nothing if all may.
  std::optional<std::set<uint64_t>> parts_mentioning(std::string_view name) const;
  // Files of parts that were not found, for messages; empty: none.
  std::string missing_parts() const { return parts_ == nullptr ? std::string{} : parts_->missing(); }

 private:
  explicit DebugFile(const LibDw& dw) : dw_(dw) {}
  bool load(Fd file);
  void close();
  Elf* open_elf();
  Elf_Data* data_of(std::string_view name) const;
  std::span<std::byte> replace(std::string_view name, std::string_view suffix);
  void take_over_parts(const std::string& root, const std::string& path);
  bool redirect(const Dwarf_Die& unit, const std::map<std::string_view, uint64_t>& new_names);

  const LibDw& dw_;
  Fd file_;
  std::vector<char> image_;  // of the file, uncompressed, where libelf cannot do it
  // Copies of sections, by name.
  std::map<std::string, std::vector<std::byte>, std::less<>> replaced_;
  std::unique_ptr<SplitUnits> parts_;    // null: there are none
  Fd part_;                              // libdw opens every part by this descriptor's name
  mutable std::set<uint64_t> provided_;  // parts that libdw has looked for
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

}  // namespace dscope
