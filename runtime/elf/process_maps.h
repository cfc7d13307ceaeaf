// ProcessMaps: what is mapped where in a process, from /proc/<pid>/maps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

struct Mapping {
  uint64_t start = 0, end = 0;
  uint64_t offset = 0;  // of `start` in the file
  std::string device;   // "08:01"
  uint64_t inode = 0;
  std::string path;  // without " (deleted)"; "[vdso]" and the like; empty: anonymous
  bool is_deleted = false;
  bool is_executable = true;

  bool is_file() const { return !path.empty() && path[0] == '/'; }
  bool is_vdso() const { return path == "[vdso]"; }
  // Last component of the path; empty if the mapping is no object (anonymous, heap, stack).
  std::string_view object_name() const;
};

class ProcessMaps {
 public:
  // Nothing if the process is gone or may not be looked at.
  static std::optional<ProcessMaps> read(uint32_t pid);
  static ProcessMaps parse(std::string_view text);

  // Null if nothing that was seen is mapped there. Valid until add().
  const Mapping* find(uint64_t address) const;
  // What overlaps it before is cut off, as mmap(2) does with MAP_FIXED.
  void add(Mapping mapping);
  const std::vector<Mapping>& mappings() const { return mappings_; }

 private:
  std::vector<Mapping> mappings_;  // by address
};

// Content of a small file, empty if it cannot be read.
std::string read_small_file(const std::string& path);
// The process of a thread that is not its first one; 0 if it is, or is none.
uint32_t process_of_thread(uint32_t thread);

}  // namespace dscope
