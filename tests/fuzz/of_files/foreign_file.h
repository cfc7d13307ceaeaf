// Gives a fuzzer's input to code that reads files.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "support/check.h"
#include "support/fd.h"

namespace dscope::fuzz {

// Writes all bytes at the current position.
inline void write_all(int fd, const uint8_t* data, size_t size) {
  while (size > 0) {
    ssize_t written = ::write(fd, data, size);
    DS_CHECK(written > 0);
    data += written;
    size -= static_cast<size_t>(written);
  }
}

// A file without a name that holds the input.
inline Fd memory_file(const uint8_t* data, size_t size) {
  Fd file{::memfd_create("input", MFD_CLOEXEC)};
  DS_CHECK(file.get() >= 0);
  write_all(file.get(), data, size);
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// A file in memory at a path of this process, rewritten for each input and deleted at exit.
class NamedFile {
 public:
  explicit NamedFile(std::string path) : path_(std::move(path)) {}
  ~NamedFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }
  void write(const uint8_t* data, size_t size) const {
    Fd file{::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    DS_CHECK(file.get() >= 0);
    write_all(file.get(), data, size);
  }

 private:
  std::string path_;
};

// "/dev/shm/dscope-fuzz-<pid>-NAME"
inline std::string scratch_path(const std::string& name) {
  return "/dev/shm/dscope-fuzz-" + std::to_string(::getpid()) + "-" + name;
}

}  // namespace dscope::fuzz
