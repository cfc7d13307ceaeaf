// OutputStream: where text goes. Implemented by FdStream and FragmentStream; tests capture it.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

// Where text goes: stdout, the -o file, or a freopen()ed file. Buffered; write() never fails visibly: the first error
// (closed pipe, full disk) is kept, later output is dropped and counted.
class OutputStream {
 public:
  virtual ~OutputStream() = default;
  virtual void write(std::string_view text) = 0;
  virtual void flush() = 0;
  // 0, or the errno of the first failed write.
  virtual int error() const = 0;
  // Asked when a signal interrupts a write that has to wait: true gives up what is left, with the error EINTR.
  virtual void give_up_when(bool (*)()) {}
  // From here on text is appended to the file at `path` (created if need be), until restore(). Fails with the errno of
  // opening it, and then changes nothing.
  virtual Result<> redirect(const std::string&) { return fail(Error::from_errno(ENOTSUP, "no file")); }
  virtual void restore() {}
  // Appends data to the file of redirect(), behind `header` if there was nothing in it. Text for that file is dropped,
  // and taken back if there is some: it would spoil the data. False: there is no such file.
  virtual bool write_data(std::string_view, std::string_view) { return false; }
  // Takes back all that is in the file; nothing happens to what is no file.
  virtual void truncate() {}
  // True if people read it: control characters of traced text are then shown, not sent.
  virtual bool is_terminal() const { return false; }
};

}  // namespace dscope
