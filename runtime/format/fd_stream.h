// FdStream: OutputStream over a file descriptor with a big buffer. The process ignores SIGPIPE, so a closed pipe
// shows up as EPIPE in error().
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "runtime/format/output_stream.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class FdStream final : public OutputStream {
 public:
  // Does not own `fd` (stdout, stderr).
  explicit FdStream(int fd);
  // Owns it.
  explicit FdStream(Fd fd);
  // The -o file: created if need be, opened for append.
  static Result<std::unique_ptr<FdStream>> open_append(const std::string& path);
  FdStream(const FdStream&) = delete;
  FdStream& operator=(const FdStream&) = delete;
  ~FdStream() override { flush(); }

  void write(std::string_view text) override;
  void flush() override;
  Result<> redirect(const std::string& path) override;
  void restore() override;
  bool write_data(std::string_view header, std::string_view data) override;
  void truncate() override;
  int error() const override { return error_; }
  void give_up_when(bool (*condition)()) override { gives_up_ = condition; }
  bool is_terminal() const override { return is_terminal_; }
  // Whether freopen() has sent the text elsewhere.
  bool is_redirected() const { return redirected_.get() >= 0; }
  // Bytes that could not be written since the first error.
  uint64_t lost_bytes() const { return lost_bytes_; }
  int fd() const { return fd_; }

 private:
  void write_through(std::string_view text);

  void append(std::string_view text);
  void write_to(int fd);

  Fd owned_;
  Fd redirected_;  // the file of freopen()
  int original_;
  int fd_;  // one of them
  bool is_terminal_;
  bool holds_data_ = false;  // the file of freopen() takes no text
  off_t size_at_first_ = 0;  // of that file
  bool (*gives_up_)() = nullptr;
  int error_ = 0;
  uint64_t lost_bytes_ = 0;
  std::string buffer_;
};

}  // namespace dscope
