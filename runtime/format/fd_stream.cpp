#include "runtime/format/fd_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace dscope {

namespace {

constexpr size_t buffer_size = size_t{256} * 1024;

// 0 if the size is unknown.
off_t size_of(int fd) {
  struct stat file{};
  return ::fstat(fd, &file) == 0 ? file.st_size : 0;
}

}  // namespace

FdStream::FdStream(int fd)
    : original_(fd),
      fd_(fd),
      is_terminal_(::isatty(fd) == 1),
      buffer_(std::make_unique_for_overwrite<char[]>(buffer_size)) {}

FdStream::FdStream(Fd fd) : FdStream(fd.get()) { owned_ = std::move(fd); }

Result<std::unique_ptr<FdStream>> FdStream::open_append(const std::string& path) {
  Fd fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
  if (!fd) return fail(Error::from_errno(errno, "failed to open output file '{}'", path));
  return std::make_unique<FdStream>(std::move(fd));
}

Result<> FdStream::redirect(const std::string& path) {
  Fd fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
  if (!fd) return fail(Error::from_errno(errno, "cannot open {}", path));
  flush();
  write_to(fd.get());
  redirected_ = std::move(fd);
  initial_size_ = size_of(fd_);
  return {};
}

void FdStream::restore() {
  flush();
  write_to(original_);
  redirected_ = Fd{};
}

void FdStream::write_to(int fd) {
  holds_data_ = false;
  fd_ = fd;
  is_terminal_ = ::isatty(fd) == 1;
}

bool FdStream::write_data(std::string_view header, std::string_view data) {
  if (!is_redirected()) return false;
  if (!holds_data_) {
    flush();
    // Fails for a pipe, whose text cannot be taken back.
    [[maybe_unused]] int is_cut = ::ftruncate(fd_, initial_size_);
    if (initial_size_ == 0) append(header);
    holds_data_ = true;
  }
  append(data);
  return true;
}

void FdStream::keep_earlier_content() { kept_size_ = size_of(original_); }

void FdStream::truncate() {
  flush();
  off_t kept = is_redirected() ? 0 : std::min(kept_size_, size_of(fd_));
  if (::ftruncate(fd_, kept) == 0) ::lseek(fd_, kept, SEEK_SET);
}

void FdStream::write(std::string_view text) {
  if (!holds_data_) append(text);
}

void FdStream::append(std::string_view text) {
  if (text.size() > buffer_size - used_) flush();
  if (text.size() > buffer_size) return write_through(text);
  text.copy(buffer_.get() + used_, text.size());
  used_ += text.size();
}

char* FdStream::reserve(size_t size) {
  if (holds_data_ || size > buffer_size) return nullptr;
  if (size > buffer_size - used_) flush();
  return buffer_.get() + used_;
}

void FdStream::flush() { write_through({buffer_.get(), std::exchange(used_, 0)}); }

void FdStream::write_through(std::string_view text) {
  while (!text.empty() && error_ == 0) {
    ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      // Another process that shares this stdout has made it non-blocking.
      pollfd ready{.fd = fd_, .events = POLLOUT, .revents = 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR || (should_abort_ != nullptr && should_abort_())) {
      error_ = errno;
    }
  }
  lost_bytes_ += text.size();
}

}  // namespace dscope
