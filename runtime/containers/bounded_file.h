// Reads files that belong to others: containers choose their size and content.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>

namespace dscope {

// The content of a regular file of at most `max_bytes`; nothing for anything else. Never waits.
std::optional<std::string> read_bounded(const std::string& path, size_t max_bytes);

// Which content a path has at a moment: changes with the file.
struct FileStamp {
  dev_t device = 0;
  ino_t inode = 0;
  int64_t size = -1, modified_ns = 0;  // size -1: there is no file

  bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& path);

}  // namespace dscope
