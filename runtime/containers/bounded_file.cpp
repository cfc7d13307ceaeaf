#include "runtime/containers/bounded_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "support/fd.h"

namespace dscope {

std::optional<std::string> read_bounded(const std::string& path, size_t max_bytes) {
  // O_NONBLOCK: opening a pipe does not wait for its other end.
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (static_cast<uint64_t>(status.st_size) > max_bytes) return std::nullopt;
  std::string content(static_cast<size_t>(status.st_size), '\0');
  size_t size = 0;
  while (size < content.size()) {
    ssize_t count = ::read(file.get(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += static_cast<size_t>(count);
  }
  content.resize(size);
  return content;
}

FileStamp stamp_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .modified_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace dscope
