// See excerpt.h. The code splits a line into cells, one per character on the terminal. Only that step handles tabs,
// unprintable bytes and wide characters.
#include "support/excerpt.h"

#include <algorithm>
#include <vector>

#include "support/format.h"
#include "support/text/utf8.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

constexpr size_t tab_width = 8;
constexpr size_t gutter_width = 8;  // "    1 | "
constexpr std::string_view cut = "...";

struct CodeRange {
  char32_t first, last;
};

// Wide and zero-width characters by Unicode block: those that occur in scripts, not a full table.
constexpr CodeRange wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                              {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                              {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr CodeRange combining[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                   {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                   {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
// Characters of source text that nobody sees.
constexpr CodeRange invisible[] = {{0xad, 0xad},     {0x200b, 0x200d}, {0x2060, 0x2065},
                                   {0x206a, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};

template <size_t N>
bool contains(const CodeRange (&ranges)[N], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

struct Cell {
  std::string shown;  // the text to print for the character
  size_t length;      // bytes in the source
  size_t columns;
};

Cell first_cell(std::string_view text) {
  Utf8Character decoded = first_character(text);
  if (decoded.length == 0 || is_terminal_control(decoded.code) || contains(invisible, decoded.code))
    return {"?", std::max<size_t>(1, decoded.length), 1};
  size_t columns = contains(combining, decoded.code) ? 0 : contains(wide, decoded.code) ? 2 : 1;
  return {std::string(text.substr(0, decoded.length)), decoded.length, columns};
}

struct Line {
  std::vector<Cell> cells;
  size_t mark_begin = 0, mark_end = 0;  // indices of cells
};

Line split_into_cells(std::string_view text, size_t begin, size_t end) {
  Line line;
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    Cell cell =
        text[at] == '\t' ? Cell{std::string(tab_width - column % tab_width, ' '), 1, 0} : first_cell(text.substr(at));
    if (text[at] == '\t') cell.columns = cell.shown.size();
    column += cell.columns;
    at += cell.length;
    line.mark_begin += at <= begin;
    line.mark_end += at <= end;
    line.cells.push_back(std::move(cell));
  }
  line.mark_end = std::max(line.mark_end, line.mark_begin);
  return line;
}

size_t columns_of(const std::vector<Cell>& cells, size_t begin, size_t end) {
  size_t columns = 0;
  for (size_t i = begin; i < end && i < cells.size(); ++i) columns += cells[i].columns;
  return columns;
}

struct Window {
  size_t first, last;  // indices of cells
};

// The part of the line that fits into `width`: the whole line, or a third of the width before the mark and the rest
// behind it.
Window window(const Line& line, size_t width) {
  size_t first = 0, last = line.cells.size();
  if (columns_of(line.cells, first, last) <= width) return {0, last};
  size_t before = 0;
  for (first = std::min(line.mark_begin, last); first > 0 && before < width / 3; --first)
    before += line.cells[first - 1].columns;
  size_t shown = 0;
  for (last = first; last < line.cells.size() && shown + line.cells[last].columns <= width; ++last)
    shown += line.cells[last].columns;
  return {first, last};
}

std::string join(const std::vector<Cell>& cells, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end && i < cells.size(); ++i) text += cells[i].shown;
  return text;
}

}  // namespace

Palette::Palette(const Terminal& terminal) {
  if (!terminal.has_colors) return;
  bold = "\033[1m";
  mark = "\033[1;31m";
  dim = "\033[34m";
  hint = "\033[36m";
  reset = "\033[0m";
}

std::string safe_text(std::string_view text) {
  std::string safe;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n' || text[at] == '\t') {
      safe += text[at++];
      continue;
    }
    Cell cell = first_cell(text.substr(at));
    safe += cell.shown;
    at += cell.length;
  }
  return safe;
}

std::string excerpt(const SourceLocation& location, SourceRange range, const Terminal& terminal) {
  size_t room = std::max<size_t>(terminal.width, 40) - gutter_width - 2 * cut.size();
  // Lines may have megabytes. The terminal cannot show more bytes than this on either side of the mark.
  size_t reach = 4 * room;
  size_t begin = location.column - 1, from = begin - std::min(begin, reach);
  std::string_view text = location.line_text.substr(from, begin - from + reach);
  Line line = split_into_cells(text, begin - from, begin - from + (range.end - std::min(range.begin, range.end)));
  auto [first, last] = window(line, room);
  std::string_view left = first > 0 || from > 0 ? cut : "";
  std::string_view right = last < line.cells.size() || from + text.size() < location.line_text.size() ? cut : "";
  size_t before = left.size() + columns_of(line.cells, first, line.mark_begin);
  size_t length = std::max<size_t>(1, columns_of(line.cells, line.mark_begin, std::min<size_t>(line.mark_end, last)));
  Palette colors(terminal);
  return fmt::format("{0}{1:5} |{2} {3}{4}{5}\n{0}      |{2} {6}{7}^{8}{2}\n", colors.dim, location.line, colors.reset,
                     left, join(line.cells, first, last), right, std::string(before, ' '), colors.mark,
                     std::string(length - 1, '~'));
}

}  // namespace dscope
