// ProcessMaps: the memory mappings of a process, from /proc/<pid>/maps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

struct Mapping {
  uint64_t start = 0, end = 0;  // addresses in the process
  uint64_t offset = 0;          // file offset of `start`
  std::string device;           // major:minor in hexadecimal: "08:01"
  uint64_t inode = 0;
  std::string path;  // without " (deleted)"; "[vdso]", "[heap]" and the like; empty for anonymous memory
  bool is_deleted = false;
  bool is_executable = true;

  bool is_file() const { return !path.empty() && path[0] == '/'; }
  bool is_vdso() const { return path == "[vdso]"; }
  // The last component of the path, or "[vdso]"; empty for memory of no object: anonymous, heap, stack.
  std::string_view object_name() const;
};

class ProcessMaps {
 public:
  // Nothing if the process has exited or we lack the privilege to read its maps.
  static std::optional<ProcessMaps> read(uint32_t pid);
  // `text`: the content of a maps file.
  static ProcessMaps parse(std::string_view text);

  // The mapping that contains `address`, or null. The pointer is valid until add().
  const Mapping* find(uint64_t address) const;
  // Adds a mapping and cuts off the parts of older ones that it overlaps, as mmap(2) does with MAP_FIXED.
  void add(Mapping mapping);
  const std::vector<Mapping>& mappings() const { return mappings_; }

 private:
  std::vector<Mapping> mappings_;  // by address
};

// The content of a file; empty if it cannot be read.
std::string read_small_file(const std::string& path);
// The process id of a thread that is not the main thread of its process; 0 for a main thread, or if there is no such
// thread.
uint32_t process_of_thread(uint32_t thread);

}  // namespace dscope
