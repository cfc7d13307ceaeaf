// CaptureStream: keeps the written text in memory, for tests and for output that is inspected before it is printed.
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
  char* reserve(size_t size) override {
    committed_ = text_.size();
    text_.resize(committed_ + size);
    return text_.data() + committed_;
  }
  void commit(size_t size) override { text_.resize(committed_ + size); }
  int error() const override { return 0; }
  // Keeps the text of each file under its path. Paths that begin with "/nonexistent" fail to open.
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
  size_t committed_ = 0;     // bytes before those of reserve()
  std::string path_, held_;  // the file of redirect(), and the text that was written before it
  std::map<std::string, std::string> files_;
  bool is_terminal_;
};

}  // namespace dscope
