#include "headers/included_text.h"

#include <algorithm>

#include "support/format.h"
#include "support/line_marker.h"

namespace dscope {

namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos; }

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

}  // namespace

IncludedText::IncludedText(std::string text) : text_(std::move(text)), files_{IncludedFile{}} {
  std::vector<size_t> open{script};  // the chain of includers, with the current file last
  Piece piece;
  for (size_t begin = 0; begin < text_.size();) {
    size_t end = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
    std::string_view line = std::string_view(text_).substr(begin, end - begin);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (auto marker = parse_line_marker(line)) {
      piece.end = begin;
      pieces_.push_back(piece);
      if (marker->is_enter) {
        files_.push_back({.name = marker->file, .is_system = marker->is_system || files_[open.back()].is_system});
        open.push_back(files_.size() - 1);
      }
      if (marker->is_leave) leave_file(open);
      std::string name = marker->file.empty() ? std::move(piece.name) : std::move(marker->file);
      piece = {.file = open.back(), .line = marker->line, .name = std::move(name), .begin = end};
    }
    begin = end;
  }
  piece.end = text_.size();
  pieces_.push_back(std::move(piece));
  while (open.size() > 1) leave_file(open);
}

void IncludedText::leave_file(std::vector<size_t>& open) {
  if (open.size() == 1) return;
  order_.push_back(open.back());
  open.pop_back();
}

bool IncludedText::is_empty(size_t file) const {
  return std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.file != file || is_blank(std::string_view(text_).substr(piece.begin, piece.end - piece.begin));
  });
}

std::string IncludedText::text_of(const std::function<bool(size_t file)>& is_selected) const {
  std::string result;
  bool is_inside = false;  // the last marker named a header
  for (const Piece& piece : pieces_) {
    std::string_view text = std::string_view(text_).substr(piece.begin, piece.end - piece.begin);
    bool is_header = piece.file != script;
    if (!is_selected(piece.file) || (is_header && is_blank(text))) continue;
    if (!piece.name.empty())
      result += fmt::format("# {} {}{}\n", piece.line, quoted(piece.name),
                            is_header == is_inside ? ""
                            : is_header            ? " 1"
                                                   : " 2");
    is_inside = is_header;
    result += text;
  }
  return result;
}

}  // namespace dscope
