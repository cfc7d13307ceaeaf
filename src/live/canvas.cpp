#include "live/canvas.h"

#include <wchar.h>

#include <algorithm>
#include <cmath>

#include "support/text/utf8.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

struct WideCharacter {
  char32_t code = 0;
  int width = 1;
  size_t length = 1;  // in bytes
};

// The first character of a visible line. Characters that the terminal cannot show become `?`.
WideCharacter wide_character(std::string_view text, bool is_unicode) {
  auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return {.code = byte};
  Utf8Character character = first_character(text);
  int width = is_unicode ? ::wcwidth(static_cast<wchar_t>(character.code)) : -1;
  size_t length = std::max<size_t>(character.length, 1);
  if (width < 0) return {.code = U'?', .width = 1, .length = length};
  return {.code = character.code, .width = width, .length = length};
}

int width_of_visible(std::string_view text, bool is_unicode, int limit) {
  int width = 0;
  while (!text.empty() && width < limit) {
    WideCharacter character = wide_character(text, is_unicode);
    width += character.width;
    text.remove_prefix(character.length);
  }
  return width;
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  int more_bytes = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<unsigned, 4> leads{0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(leads[static_cast<size_t>(more_bytes)] | (code >> (6 * more_bytes)));
  for (int i = more_bytes - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

ScreenStyle heat_style(int level) {
  return static_cast<ScreenStyle>(static_cast<int>(ScreenStyle::Heat) + std::clamp(level, 0, heat_levels - 1));
}

Canvas::Canvas(ScreenSize size, DrawingMode mode)
    : size_{.rows = std::max(size.rows, 0), .columns = std::max(size.columns, 0)},
      mode_(mode),
      cells_(static_cast<size_t>(size_.rows) * static_cast<size_t>(size_.columns)) {}

bool Canvas::has_same_row(const Canvas& other, int row) const {
  auto begin = cells_.begin() + static_cast<ptrdiff_t>(index_of(row, 0));
  return std::equal(begin, begin + size_.columns, other.cells_.begin() + static_cast<ptrdiff_t>(index_of(row, 0)));
}

// A cell that is overwritten must not leave the half of a wide character.
void Canvas::clear_halves(int row, int column) {
  if (cells_[index_of(row, column)].width == 0 && column > 0) cells_[index_of(row, column - 1)] = {};
  if (has(row, column + 1) && cells_[index_of(row, column + 1)].width == 0) cells_[index_of(row, column + 1)] = {};
}

int Canvas::put(int row, int column, std::string_view text, ScreenStyle style, int max_columns) {
  if (row < 0 || row >= size_.rows || column < 0) return 0;
  max_columns = std::min(max_columns, size_.columns - column);
  if (max_columns <= 0) return 0;
  // Far more bytes than columns cannot be seen. Clipping them first keeps very long keys cheap.
  bool is_long = text.size() > 16 * static_cast<size_t>(max_columns) + 64;
  std::string visible = visible_line(is_long ? text.substr(0, 16 * static_cast<size_t>(max_columns) + 64) : text);
  std::string_view rest = visible;
  bool is_clipped = is_long || width_of_visible(rest, mode_.is_unicode, max_columns + 1) > max_columns;
  int limit = is_clipped ? max_columns - 1 : max_columns;
  int used = 0;
  while (!rest.empty()) {
    WideCharacter character = wide_character(rest, mode_.is_unicode);
    rest.remove_prefix(character.length);
    if (character.width == 0) {
      if (used == 0) continue;  // nothing to combine with
      int base = column + used - 1;
      while (base > column && at(row, base).width == 0) --base;
      auto& characters = cells_[index_of(row, base)].characters;
      auto end = std::find(characters.begin(), characters.end(), U'\0');
      if (end != characters.end()) *end = character.code;
      continue;
    }
    if (used + character.width > limit) break;
    clear_halves(row, column + used);
    cells_[index_of(row, column + used)] = {
        .characters = {character.code}, .width = static_cast<uint8_t>(character.width), .style = style};
    for (int i = 1; i < character.width; ++i) {
      clear_halves(row, column + used + i);
      cells_[index_of(row, column + used + i)] = {.characters = {}, .width = 0, .style = style};
    }
    used += character.width;
  }
  if (is_clipped && used < max_columns) {
    clear_halves(row, column + used);
    char32_t mark = mode_.is_unicode ? U'…' : U'~';
    cells_[index_of(row, column + used++)] = {.characters = {mark}, .width = 1, .style = style};
  }
  return used;
}

void Canvas::put_right(int row, int end, std::string_view text, ScreenStyle style, int max_columns) {
  int width = std::min(text_width(text, mode_.is_unicode, max_columns + 1), max_columns);
  put(row, end - width, text, style, width);
}

void Canvas::fill(int row, int column, int columns, char32_t character, ScreenStyle style) {
  for (int i = column; i < column + columns; ++i) {
    if (!has(row, i)) continue;
    clear_halves(row, i);
    cells_[index_of(row, i)] = {.characters = {character}, .width = 1, .style = style};
  }
}

void Canvas::restyle(int row, int column, int columns, ScreenStyle style) {
  for (int i = column; i < column + columns; ++i)
    if (has(row, i)) cells_[index_of(row, i)].style = style;
}

std::string Canvas::line(int row) const {
  std::string text;
  for (int column = 0; column < size_.columns; ++column)
    for (char32_t character : at(row, column).characters)
      if (character != 0) append_utf8(text, character);
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

int text_width(std::string_view text, bool is_unicode, int limit) {
  if (is_plain(text)) return static_cast<int>(std::min(text.size(), static_cast<size_t>(limit)));
  return width_of_visible(visible_line(text), is_unicode, limit);
}

std::string text_after(std::string_view text, int columns, bool is_unicode) {
  std::string visible = visible_line(text);
  std::string_view rest = visible;
  int skipped = 0;
  while (!rest.empty() && skipped < columns) {
    WideCharacter character = wide_character(rest, is_unicode);
    skipped += character.width;
    rest.remove_prefix(character.length);
  }
  // Half of a wide character remains as a blank.
  return std::string(static_cast<size_t>(std::max(skipped - columns, 0)), ' ') + std::string(rest);
}

std::string bar_text(double length, int columns, bool is_unicode) {
  length = std::clamp(length, 0.0, static_cast<double>(columns));
  if (!is_unicode) return std::string(static_cast<size_t>(std::lround(length)), '#');
  constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto units = static_cast<size_t>(std::lround(length * 8));
  // Something is not nothing.
  if (units == 0 && length > 0) units = 1;
  std::string bar;
  for (size_t i = 0; i < units / 8; ++i) bar += "█";
  bar += eighths[units % 8];
  return bar;
}

}  // namespace dscope
