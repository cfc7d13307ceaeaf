// A document that an editor has opened: its text and the positions of LSP, which count lines from 0 and characters in
// UTF-16 code units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace dscope {

struct EditorPosition {
  uint32_t line = 0;
  uint32_t character = 0;
  bool operator==(const EditorPosition&) const = default;
};

class Document {
 public:
  Document() = default;
  Document(std::string path, std::string text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  // Positions behind the end of a line or of the text yield that end.
  uint32_t offset_of(EditorPosition position) const;
  EditorPosition position_of(uint32_t offset) const;
  // Replaces a part of the text.
  void edit(EditorPosition begin, EditorPosition end, std::string_view replacement);
  EditorPosition end() const { return position_of(static_cast<uint32_t>(text_.size())); }

 private:
  void find_lines();

  std::string path_, text_;
  std::vector<uint32_t> lines_;  // offsets at which lines begin
};

// "file:///tmp/a%20b.d" -> "/tmp/a b.d". Other schemes are returned unchanged.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace dscope
