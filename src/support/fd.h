// Fd: owns a file descriptor and closes it in the destructor. Move-only. And write_all().
#pragma once

#include <unistd.h>

#include <string_view>
#include <utility>

namespace dscope {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~Fd() { reset(); }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Transfers the descriptor to the caller, who must close it.
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// Writes all bytes, in as many calls of write(2) as it takes. False, with errno, on the first error but EINTR.
bool write_all(int fd, std::string_view bytes);

}  // namespace dscope
