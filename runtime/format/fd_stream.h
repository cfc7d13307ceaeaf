// FdStream: an OutputStream over a file descriptor, with a buffer of 256 KiB. The process must ignore SIGPIPE; a closed
// pipe then results in error() EPIPE.
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
  // Owns `fd`.
  explicit FdStream(Fd fd);
  // Opens the -o file for append; creates it if it does not exist.
  static Result<std::unique_ptr<FdStream>> open_append(const std::string& path);
  FdStream(const FdStream&) = delete;
  FdStream& operator=(const FdStream&) = delete;
  ~FdStream() override { flush(); }

  void write(std::string_view text) override;
  void flush() override;
  char* reserve(size_t size) override;
  void commit(size_t size) override { used_ += size; }
  Result<> redirect(const std::string& path) override;
  void restore() override;
  bool write_data(std::string_view header, std::string_view data) override;
  void truncate() override;
  int error() const override { return error_; }
  void abort_writes_if(bool (*condition)()) override { should_abort_ = condition; }
  bool is_terminal() const override { return is_terminal_; }
  // truncate() leaves what the file holds now, unless it is the file of freopen().
  void keep_earlier_content();
  // True while text goes to the file of freopen().
  bool is_redirected() const { return redirected_.get() >= 0; }
  // Bytes that were dropped since the first error.
  uint64_t lost_bytes() const { return lost_bytes_; }
  int fd() const { return fd_; }

 private:
  void write_through(std::string_view text);

  void append(std::string_view text);
  void write_to(int fd);

  Fd owned_;
  Fd redirected_;  // the file of freopen()
  int original_;
  int fd_;  // the descriptor in use: original_ or redirected_
  bool is_terminal_;
  bool holds_data_ = false;  // write_data() has written to the file of freopen(): text for it is dropped
  off_t initial_size_ = 0;   // size in bytes of that file when it was opened
  off_t kept_size_ = 0;      // bytes of the original file that truncate() leaves
  bool (*should_abort_)() = nullptr;
  int error_ = 0;
  uint64_t lost_bytes_ = 0;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;  // bytes of the buffer
};

}  // namespace dscope
