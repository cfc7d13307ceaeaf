#include "driver/language/document.h"

#include <algorithm>
#include <cctype>

#include "support/format.h"
#include "support/text/utf8.h"

namespace dscope {

namespace {

// The character at the start of `text`: its bytes, and its UTF-16 code units.
struct Character {
  uint32_t bytes = 1, units = 1;
};

Character character_at(std::string_view text) {
  auto bytes = static_cast<uint32_t>(std::max<size_t>(1, first_character(text).length));
  return {bytes, bytes == 4 ? 2U : 1U};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Document::Document(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  find_lines();
}

void Document::find_lines() {
  lines_ = {0};
  for (uint32_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
}

uint32_t Document::offset_of(EditorPosition position) const {
  auto size = static_cast<uint32_t>(text_.size());
  if (lines_.empty() || position.line >= lines_.size()) return size;
  uint32_t at = lines_[position.line];
  uint32_t end = position.line + 1 < lines_.size() ? lines_[position.line + 1] - 1 : size;
  for (uint32_t units = 0; at < end && units < position.character;) {
    Character character = character_at(std::string_view(text_).substr(at, end - at));
    at += character.bytes;
    units += character.units;
  }
  return std::min(at, end);
}

EditorPosition Document::position_of(uint32_t offset) const {
  if (lines_.empty()) return {};
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  auto line = static_cast<uint32_t>(std::ranges::upper_bound(lines_, offset) - lines_.begin() - 1);
  EditorPosition position{.line = line, .character = 0};
  for (uint32_t at = lines_[line]; at < offset;) {
    Character character = character_at(std::string_view(text_).substr(at, offset - at));
    at += character.bytes;
    position.character += character.units;
  }
  return position;
}

void Document::edit(EditorPosition begin, EditorPosition end, std::string_view replacement) {
  uint32_t from = offset_of(begin), to = std::max(from, offset_of(end));
  text_.replace(from, to - from, replacement);
  find_lines();
}

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return std::string(uri);
  uri.remove_prefix(scheme.size());
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    bool is_escape = uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
    if (!is_escape) {
      path += uri[i];
      continue;
    }
    path += static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2]));
    i += 2;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  std::string uri = "file://";
  for (char c : path) {
    bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-~").find(c) != std::string_view::npos;
    if (is_plain) uri += c;
    else uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace dscope
