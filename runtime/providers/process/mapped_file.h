// Files that a process has mapped, opened by the mapping instead of by the path.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/elf/process_maps.h"
#include "support/fd.h"

namespace dscope {

// Device, as "08:01", and inode: as in ProcessObject.
using FileKey = std::pair<std::string, uint64_t>;

// True if root, the user of the process, or root of its user namespace owns the file. False if the process has exited.
bool trusts_owner(uint32_t pid, uid_t owner);

struct MappedFile {
  FileKey key;
  int64_t created_ns;  // since 1970, to distinguish files that reuse an inode; 0 if the file system does not record it
  Fd opened;
  bool is_by_mapping;  // false: by the path, because the process maps it no longer
};

// The file that the process has mapped as executable at `path`, a path in its mount namespace. If the process has
// exited or unmapped it, opens the file at that path in our own namespace. Nothing if the file cannot be opened.
std::optional<MappedFile> open_mapped_path(uint32_t pid, const std::string& path);

}  // namespace dscope
