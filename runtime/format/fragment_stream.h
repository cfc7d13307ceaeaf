// FragmentStream: prints each write to the output as one escaped line (-B), to debug programs that read the output.
#pragma once

#include <string>

#include "runtime/format/output_stream.h"

namespace dscope {

class FragmentStream final : public OutputStream {
 public:
  // `out` must outlive this stream. Each line starts with `program_name`.
  FragmentStream(OutputStream& out, std::string program_name) : out_(out), program_name_(std::move(program_name)) {}

  // Writes one line: dscope: >>> Called buffer handler: "the text, escaped"
  void write(std::string_view text) override;
  void flush() override { out_.flush(); }
  int error() const override { return out_.error(); }
  Result<> redirect(const std::string& path) override { return out_.redirect(path); }
  void restore() override { out_.restore(); }
  bool write_data(std::string_view header, std::string_view data) override { return out_.write_data(header, data); }
  void truncate() override { out_.truncate(); }

 private:
  OutputStream& out_;
  std::string program_name_;
};

}  // namespace dscope
