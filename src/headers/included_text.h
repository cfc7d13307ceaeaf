// IncludedText: what a preprocessor wrote, taken apart by its line markers into the files it was made of. Decides
// nothing; puts together texts of the files that its user picks. Pure functions over one text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// One inclusion of a file; a file included twice is there twice.
struct IncludedFile {
  std::string name;        // as its markers say
  bool is_system = false;  // found in the system's directories, or included by such a file
};

class IncludedText {
 public:
  // File 0 is the script; others are numbered as they are entered.
  static constexpr size_t script = 0;

  explicit IncludedText(std::string text);

  const std::vector<IncludedFile>& files() const { return files_; }
  // The files, headers only, in the order in which they end: what a header includes comes before it.
  const std::vector<size_t>& in_include_order() const { return order_; }
  // True if a file holds nothing but blanks.
  bool is_empty(size_t file) const;

  // The text as it was, without what the files hold that are not wanted. Flags of markers tell the script from headers.
  std::string text_of(const std::function<bool(size_t file)>& is_wanted) const;

 private:
  // Text of one file without interruption; its marker's line is of `line`.
  struct Piece {
    size_t file = script;
    uint32_t line = 1;
    std::string name;  // as the marker has it: #line in a header may differ from the file
    size_t begin = 0, end = 0;
  };
  void leave_file(std::vector<size_t>& open);

  std::string text_;
  std::vector<IncludedFile> files_;
  std::vector<size_t> order_;
  std::vector<Piece> pieces_;
};

}  // namespace dscope
