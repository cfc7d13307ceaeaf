// CaptureStream: keeps what is written, for tests and for output that is looked at before it is shown.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "runtime/format/output_stream.h"

namespace dscope {

class CaptureStream final : public OutputStream {
 public:
  explicit CaptureStream(bool is_terminal = false) : is_terminal_(is_terminal) {}
  void write(std::string_view text) override { text_ += text; }
  void flush() override {}
  int error() const override { return 0; }
  // Text for a file is kept under its path; paths that begin with "/nonexistent" cannot be opened.
  Result<> redirect(const std::string& path) override {
    if (path.starts_with("/nonexistent")) return fail(Error::from_errno(ENOENT, "{}", path));
    restore();
    path_ = path;
    held_ = std::exchange(text_, std::exchange(files_[path], {}));
    return {};
  }
  void restore() override {
    if (path_.empty()) return;
    files_[path_] = std::exchange(text_, std::move(held_));
    path_.clear();
  }
  void truncate() override { text_.clear(); }
  bool is_terminal() const override { return is_terminal_ && path_.empty(); }

  const std::string& text() const { return text_; }
  const std::string& file(const std::string& path) { return path == path_ ? text_ : files_[path]; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  std::string path_, held_;  // where it goes meanwhile, and what it had before
  std::map<std::string, std::string> files_;
  bool is_terminal_;
};

}  // namespace dscope
