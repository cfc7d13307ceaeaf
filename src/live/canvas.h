// Canvas: what the live view draws, as cells with a style, without a terminal. Text is clipped by its width in columns
// (wcwidth(3) of the current locale). Traced text may contain anything: control characters are made visible here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

struct ScreenSize {
  int rows = 0, columns = 0;

  bool operator==(const ScreenSize&) const = default;
};

struct ScreenArea {
  int row = 0, column = 0;
  int rows = 0, columns = 0;
};

// The meaning of a cell. The terminal chooses colors and attributes.
enum class ScreenStyle : uint8_t {
  Text,
  Dim,
  Strong,
  Tab,
  CurrentTab,
  Heading,
  SortedHeading,
  Selected,
  Bar,
  Kernel,  // a frame of the kernel
  Match,   // of a search or a filter
  Warning,
  Status,
  Heat,  // the first of heat_levels styles, from few to many
};
inline constexpr int heat_levels = 10;
inline constexpr int screen_style_count = static_cast<int>(ScreenStyle::Heat) + heat_levels;
// `level`: 0 up to heat_levels - 1.
ScreenStyle heat_style(int level);

struct ScreenCell {
  std::array<char32_t, 4> characters{U' '};  // a character and the ones that combine with it; 0 ends them
  uint8_t width = 1;                         // in columns; 0: covered by the wide character to the left
  ScreenStyle style = ScreenStyle::Text;

  bool operator==(const ScreenCell&) const = default;
};

// How a terminal can draw.
struct DrawingMode {
  bool is_unicode = true;   // false: ASCII only
  bool has_colors = true;   // false: heat is shown by characters
  bool has_palette = true;  // 256 colors: heat is shown by the background
};

class Canvas {
 public:
  Canvas(ScreenSize size, DrawingMode mode);

  ScreenSize size() const { return size_; }
  const DrawingMode& mode() const { return mode_; }
  const ScreenCell& at(int row, int column) const { return cells_[index_of(row, column)]; }

  // Whether a row has the same cells as in `other`, which must have the same size.
  bool has_same_row(const Canvas& other, int row) const;

  // Writes `text` at (row, column), clipped to `max_columns` and the canvas. Clipped text ends in an ellipsis. Returns
  // the number of columns written.
  int put(int row, int column, std::string_view text, ScreenStyle style, int max_columns);
  int put(int row, int column, std::string_view text, ScreenStyle style) {
    return put(row, column, text, style, size_.columns);
  }
  // Writes `text` so that it ends in front of the column `end`.
  void put_right(int row, int end, std::string_view text, ScreenStyle style, int max_columns);
  void fill(int row, int column, int columns, char32_t character, ScreenStyle style);
  // Changes only the style.
  void restyle(int row, int column, int columns, ScreenStyle style);

  // The text of a row in UTF-8 without blanks at the end. For tests.
  std::string line(int row) const;
  // Drawing characters, by mode.
  std::string_view ellipsis() const { return mode_.is_unicode ? "…" : "~"; }
  std::string_view separator() const { return mode_.is_unicode ? "│" : "|"; }

 private:
  size_t index_of(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(size_.columns) + static_cast<size_t>(column);
  }
  bool has(int row, int column) const { return row >= 0 && row < size_.rows && column >= 0 && column < size_.columns; }
  void clear_halves(int row, int column);

  ScreenSize size_;
  DrawingMode mode_;
  std::vector<ScreenCell> cells_;
};

// The width of `text` in columns once its control characters are visible. Stops counting at `limit`.
int text_width(std::string_view text, bool is_unicode, int limit = 1 << 20);
// The rest of `text` behind its first `columns` columns, with visible control characters.
std::string text_after(std::string_view text, int columns, bool is_unicode);
void append_utf8(std::string& out, char32_t code);
// A bar of `length` columns out of `columns`: block elements with eighths, or `#`.
std::string bar_text(double length, int columns, bool is_unicode);

}  // namespace dscope
