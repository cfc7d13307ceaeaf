// ObjectTables: the unwind tables of ELF files in the memory of BPF programs. Files with the same table share it,
// whatever their names and the processes that map them.
#pragma once

#include <libelf.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/unwind/frame_rules.h"
#include "runtime/unwind/table_memory.h"

struct Elf;  // of libelf

namespace dscope {

// The table of one object; no pages: it has none.
struct ObjectTable {
  uint64_t first_page = 0;  // virtual address
  uint32_t pages = 0, page_count = 0;
  // Virtual addresses of its segments by file offset.
  struct Segment {
    uint64_t offset, size, address;
  };
  std::vector<Segment> segments;
};

class ObjectTables {
 public:
  // `memory` must outlive this object, and nothing else may have allocated from it yet.
  explicit ObjectTables(TableMemory& memory, const Architecture& architecture = native_architecture());

  // The table of the file `fd`, which is read unless it is known. Valid as long as this object.
  const ObjectTable& of_file(int fd);
  // The table of an ELF image in our own memory (the vDSO).
  const ObjectTable& of_memory(std::span<char> image);

  size_t file_count() const { return files_.size(); }
  // Files whose table did not fit.
  size_t rejected_count() const { return rejected_; }

 private:
  // Device, inode, size, time of the last change in nanoseconds.
  using FileKey = std::array<uint64_t, 4>;
  using Contents = std::array<uint64_t, 2>;  // keyed hash of a table in its file
  struct Pages {
    uint64_t first_page = 0;
    uint32_t location = 0, count = 0;
  };

  ObjectTable read(Elf* elf, FileBudget& budget);
  Pages pages_of(const FrameSection& section, FileBudget& budget);
  Pages store(const std::vector<RuleRow>& rows);
  std::optional<uint16_t> number_of(const ds_unwind_rule& rule);

  TableMemory& memory_;
  const Architecture& architecture_;
  std::optional<uint32_t> rules_at_;
  std::array<uint64_t, 2> key_;
  std::map<uint64_t, uint16_t> rules_;
  std::map<FileKey, ObjectTable> files_;
  std::map<Contents, Pages> tables_;
  std::optional<ObjectTable> image_;
  size_t rejected_ = 0;
};

}  // namespace dscope
