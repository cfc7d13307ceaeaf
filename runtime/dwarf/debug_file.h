// DebugFile: the debug information (DWARF) of one executable or shared library: in the file itself, in the separate
// file named by its build id or .gnu_debuglink, and in the files made by -gsplit-dwarf. Sections are read on demand.
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
#include "runtime/elf/file_budget.h"
#include "support/fd.h"

namespace dscope {

class DebugFile {
 public:
  // Opens the file that a process knows as `path`. `root` is a path to the root directory of the process
  // ("/proc/1/root"). `other_name` is a path that leads to the very file that is mapped ("/proc/1/exe"), even if `path`
  // has been replaced since; it may be empty. Null if there is no .debug_info.
  static std::unique_ptr<DebugFile> open(const LibDw& dw, const std::string& root, const std::string& path,
                                         const std::string& other_name);
  ~DebugFile();
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  const LibDw& dw() const { return dw_; }
  Dwarf* dwarf() const { return dwarf_; }
  // Bounds the time of each query, and ends all once it is used up.
  FileBudget& budget() const { return budget_; }
  // The file that has the debug information.
  int fd() const { return file_.get(); }
  // The uncompressed bytes of a section, `name` without the dot ("debug_info"); empty if there is none. Valid as long
  // as this object.
  std::span<const std::byte> section(std::string_view name) const;

  // The id of the split unit that a skeleton unit refers to (DW_AT_dwo_id); nothing if `unit` is no skeleton.
  std::optional<uint64_t> split_unit_id(const Dwarf_Die& unit) const;
  // The split unit of a skeleton unit; nothing if `unit` is no skeleton or the split file cannot be read.
  std::optional<Dwarf_Die> split_unit(const Dwarf_Die& unit) const;
  // The ids of the split units that may mention a name; nothing if any may.
  std::optional<std::set<uint64_t>> split_units_mentioning(std::string_view name) const;
  // The split files that could not be read, for messages; empty if there are none.
  std::string missing_split_files() const { return split_units_ == nullptr ? std::string{} : split_units_->missing(); }

 private:
  explicit DebugFile(const LibDw& dw) : dw_(dw) {}
  bool load(Fd file);
  void close();
  Elf* open_image();
  void terminate_names();
  Elf_Data* data_of(std::string_view name) const;
  void copy_section(std::string_view name, std::string_view suffix);
  std::vector<uint64_t> collect_skeletons(SplitUnits& split_units) const;
  void redirect_skeletons(const std::string& root, const std::string& path);
  bool redirect(const Dwarf_Die& unit, const std::map<std::string_view, uint64_t>& new_names);

  const LibDw& dw_;
  Fd file_;
  mutable FileBudget budget_{-1};  // of file_
  std::vector<char> image_;        // uncompressed copy of the file where libelf cannot uncompress it
  // Writable copies of sections, by name.
  std::map<std::string, std::vector<std::byte>, std::less<>> copies_;
  std::unique_ptr<SplitUnits> split_units_;  // null if the program has none
  Fd split_file_;                            // libdw opens every split file through this descriptor
  mutable std::set<uint64_t> provided_;      // ids of the split units that libdw has asked for
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

}  // namespace dscope
