// IncludedText: the output of a preprocessor, split by its line markers into the included files. It assembles the text
// of the files that the caller selects. Pure functions over one text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// One inclusion of a file. A file that is included twice has two of them.
struct IncludedFile {
  std::string name;        // from its line marker
  bool is_system = false;  // in a system directory, or included by such a file
};

class IncludedText {
 public:
  // File 0 is the script. The others are numbered in the order in which they begin.
  static constexpr size_t script = 0;

  explicit IncludedText(std::string text);

  const std::vector<IncludedFile>& files() const { return files_; }
  // The headers in the order in which they end: the files that a header includes come before it.
  const std::vector<size_t>& in_include_order() const { return order_; }
  // True if the file contains only white space.
  bool is_empty(size_t file) const;

  // The text of the selected files, in the original order. The flags of its markers distinguish script and headers.
  std::string text_of(const std::function<bool(size_t file)>& is_selected) const;

 private:
  // A contiguous piece of one file, behind a line marker.
  struct Piece {
    size_t file = script;
    uint32_t line = 1;  // number of the first line
    std::string name;   // from the marker; #line in a header may name another file
    size_t begin = 0, end = 0;
  };
  void leave_file(std::vector<size_t>& open);

  std::string text_;
  std::vector<IncludedFile> files_;
  std::vector<size_t> order_;
  std::vector<Piece> pieces_;
};

}  // namespace dscope
