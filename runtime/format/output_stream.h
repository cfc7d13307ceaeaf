// OutputStream: the sink for text. Implemented by FdStream, FragmentStream and, for tests, CaptureStream.
#pragma once

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

// Buffered output to stdout, the -o file, or the file of freopen(). write() reports no errors: the stream keeps the
// first one (closed pipe, full disk) for error(), and drops and counts later output.
class OutputStream {
 public:
  virtual ~OutputStream() = default;
  virtual void write(std::string_view text) = 0;
  virtual void flush() = 0;
  // For writers that save the copy of write(): the address of `size` free bytes at the end of the stream's buffer. The
  // writer then calls commit() with the number of bytes that it has written, with no other call in between. Null if the
  // stream accepts this text only by write().
  virtual char* reserve([[maybe_unused]] size_t size) { return nullptr; }
  virtual void commit([[maybe_unused]] size_t size) {}
  // 0, or the errno of the first failed write.
  virtual int error() const = 0;
  // When a signal interrupts a blocked write and `condition` returns true, the stream drops the rest of the text and
  // sets the error EINTR.
  virtual void abort_writes_if([[maybe_unused]] bool (*condition)()) {}
  // Appends later text to the file at `path` (created if it does not exist), until restore(). On an error of opening it
  // returns that errno and changes nothing.
  virtual Result<> redirect(const std::string&) { return fail(Error::from_errno(ENOTSUP, "no file")); }
  virtual void restore() {}
  // Appends binary data to the file of redirect(), after `header` if the file was empty. From then on text for that
  // file is dropped, and text written since redirect() is removed: it would corrupt the data. Returns false if there is
  // no such file.
  virtual bool write_data(std::string_view, std::string_view) { return false; }
  // Truncates the output file to 0 bytes; does nothing for pipes and terminals.
  virtual void truncate() {}
  // True if the text appears on a terminal: control characters in traced text must then be made visible.
  virtual bool is_terminal() const { return false; }
};

}  // namespace dscope
