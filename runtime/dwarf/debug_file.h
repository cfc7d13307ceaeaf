// DebugFile: the debug information (DWARF) of one executable or shared library, in the file itself or in a separate one
// that its build id or its .gnu_debuglink leads to. Opened as it is asked for; nothing is read ahead.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/dwarf/libdw.h"
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

 private:
  explicit DebugFile(const LibDw& dw) : dw_(dw) {}
  bool load(Fd file);
  void close();

  const LibDw& dw_;
  Fd file_;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

}  // namespace dscope
