// CaptureStream: keeps what is written, for tests and for output that is looked at before it is shown.
#pragma once

#include <string>
#include <utility>

#include "runtime/output/consumer.h"

namespace dscope {

class CaptureStream final : public OutputStream {
 public:
  explicit CaptureStream(bool is_terminal = false) : is_terminal_(is_terminal) {}
  void write(std::string_view text) override { text_ += text; }
  void flush() override {}
  int error() const override { return 0; }
  bool is_terminal() const override { return is_terminal_; }

  const std::string& text() const { return text_; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  bool is_terminal_;
};

}  // namespace dscope
