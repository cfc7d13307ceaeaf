#include "live/log_pane.h"

#include <algorithm>
#include <utility>

#include "live/number_text.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string_view without_last_newline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

size_t line_count(const PictureRow& row) {
  std::string_view text = without_last_newline(row.text);
  return 1 + static_cast<size_t>(std::ranges::count(text, '\n'));
}

std::string_view line_of(const PictureRow& row, size_t line) {
  std::string_view text = without_last_newline(row.text);
  for (; line > 0; --line) text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

}  // namespace

void LogPane::begin_run() {
  is_following_ = true;
  has_match_ = false;
}

LogPane::Position LogPane::moved(const RunModel& model, Position from, int64_t lines) const {
  for (; lines > 0 && from.row < end_row(model); --lines) {
    if (++from.line < line_count(row_at(model, from.row))) continue;
    from = {.row = from.row + 1, .line = 0};
  }
  for (; lines < 0; ++lines) {
    if (from.line > 0) --from.line;
    else if (from.row > first_row(model))
      from = {.row = from.row - 1, .line = line_count(row_at(model, from.row - 1)) - 1};
  }
  return from;
}

// The top of the screen whose last line is the last line of the log.
LogPane::Position LogPane::last_top(const RunModel& model) const {
  return moved(model, {.row = end_row(model), .line = 0}, -page_);
}

void LogPane::keep_within(const RunModel& model) {
  Position last = last_top(model);
  if (top_.row < first_row(model)) top_ = {.row = first_row(model), .line = 0};
  bool is_behind = top_.row > last.row || (top_.row == last.row && top_.line >= last.line);
  if (is_following_ || is_behind) top_ = last;
}

void LogPane::scroll(const RunModel& model, int64_t lines) {
  top_ = moved(model, top_, lines);
  Position last = last_top(model);
  is_following_ = top_.row > last.row || (top_.row == last.row && top_.line >= last.line);
  keep_within(model);
}

// Goes to the next match from `from` on, which is the first row to look at, and around the ends.
void LogPane::find_match(const RunModel& model, uint64_t from, bool is_older) {
  uint64_t count = model.rows().size(), first = first_row(model);
  has_match_ = false;
  if (search_.is_empty()) return;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t offset = from >= first ? from - first : count - 1;
    uint64_t row = first + (is_older ? offset + count - i : offset + i) % count;
    if (!search_.matches(row_at(model, row).text)) continue;
    has_match_ = true;
    match_ = row;
    Position bottom = moved(model, top_, page_ - 1);
    if (row < top_.row || row >= bottom.row) {
      top_ = moved(model, {.row = row, .line = 0}, -page_ / 2);
      is_following_ = false;
      keep_within(model);
    }
    return;
  }
}

void LogPane::set_filter(TextFilter filter, const RunModel& model) {
  keep_within(model);
  // A pattern that is still being typed keeps its match. Another one begins at the end of the screen.
  bool is_continued = has_match_ && !search_.is_empty() && filter.pattern().starts_with(search_.pattern());
  uint64_t from = is_continued ? match_ : moved(model, top_, page_ - 1).row;
  search_ = std::move(filter);
  has_match_ = false;
  if (!model.rows().empty()) find_match(model, std::min(from, end_row(model) - 1), /*is_older=*/true);
}

bool LogPane::handle(const KeyPress& key, const RunModel& model) {
  if (model.rows().empty()) return false;
  keep_within(model);
  switch (key.kind) {
    case KeyPress::Kind::Up: scroll(model, -1); return true;
    case KeyPress::Kind::Down: scroll(model, 1); return true;
    case KeyPress::Kind::WheelUp: scroll(model, -3); return true;
    case KeyPress::Kind::WheelDown: scroll(model, 3); return true;
    case KeyPress::Kind::PageUp: scroll(model, 1 - page_); return true;
    case KeyPress::Kind::PageDown: scroll(model, page_ - 1); return true;
    case KeyPress::Kind::Left: skipped_columns_ = std::max(skipped_columns_ - 8, 0); return true;
    case KeyPress::Kind::Right: skipped_columns_ = std::min(skipped_columns_ + 8, 10'000); return true;
    case KeyPress::Kind::Home:
      top_ = {.row = first_row(model), .line = 0};
      scroll(model, 0);
      return true;
    case KeyPress::Kind::End: is_following_ = true; return true;
    default: break;
  }
  if (key.kind != KeyPress::Kind::Character) return false;
  uint64_t count = model.rows().size(), first = first_row(model);
  uint64_t offset = has_match_ && match_ >= first ? match_ - first : count - 1;
  switch (key.character) {
    case U'k': scroll(model, -1); return true;
    case U'j': scroll(model, 1); return true;
    case U'g': return handle({.kind = KeyPress::Kind::Home}, model);
    case U'G': return handle({.kind = KeyPress::Kind::End}, model);
    case U'n': find_match(model, first + (offset + count - 1) % count, /*is_older=*/true); return true;
    case U'N': find_match(model, first + (offset + 1) % count, /*is_older=*/false); return true;
    default: return false;
  }
}

void LogPane::draw_line(Canvas& canvas, ScreenArea area, int row, const PictureRow& from, size_t line,
                        bool is_found) const {
  int column = area.column, end = area.column + area.columns;
  auto put_field = [&](const std::string& text, int width) {
    if (line == 0) canvas.put(row, column, text, ScreenStyle::Dim, width);
    column += width + 1;
  };
  if (area.columns >= 60) put_field(clock_text(from.time_ns), 12);
  if (area.columns >= 90) put_field(fmt::format("{:>3}", from.cpu), 3);
  if (area.columns >= 110 && !from.execname.empty()) put_field(fmt::format("{:>7} {}", from.pid, from.execname), 23);
  bool is_unicode = canvas.mode().is_unicode;
  std::string text = text_after(line_of(from, line), skipped_columns_, is_unicode);
  canvas.put(row, column, text, ScreenStyle::Text, end - column);
  if (search_.is_empty()) return;
  std::string_view rest = text;
  int at = column;
  for (size_t match; (match = search_.find(rest)) != rest.npos;) {
    size_t length = search_.pattern().size();
    at += text_width(rest.substr(0, match), is_unicode);
    int width = text_width(rest.substr(match, length), is_unicode);
    canvas.restyle(row, at, std::min(width, end - at), ScreenStyle::Match);
    at += width;
    rest.remove_prefix(match + length);
  }
  if (is_found && column > area.column) canvas.put(row, column - 1, is_unicode ? "▶" : ">", ScreenStyle::Strong);
}

void LogPane::draw(Canvas& canvas, ScreenArea area, const RunModel& model) {
  page_ = std::max(area.rows, 1);
  keep_within(model);
  Position position = top_;
  for (int i = 0; i < area.rows && position.row < end_row(model); ++i) {
    const PictureRow& row = row_at(model, position.row);
    bool is_found = has_match_ && position.row == match_ && position.line == 0;
    draw_line(canvas, area, area.row + i, row, position.line, is_found);
    position = moved(model, position, 1);
  }
  if (model.rows().empty())
    canvas.put(area.row, area.column + 1, "nothing printed yet", ScreenStyle::Dim, area.columns - 1);
}

std::string LogPane::summary(const RunModel& model) const {
  auto digits = [](uint64_t count) { return number_text(static_cast<int64_t>(count), true, NumberUnits::Digits); };
  std::string text = digits(end_row(model)) + " rows";
  if (model.expired_rows() > 0) text += fmt::format(", the last {} kept", digits(model.rows().size()));
  if (model.dropped_rows() > 0) text += fmt::format(", {} dropped", digits(model.dropped_rows()));
  if (!is_following_) text += fmt::format(", at {}", digits(top_.row + 1));
  if (!search_.is_empty() && !has_match_) text += ", no match";
  return text;
}

std::string LogPane::key_hints() const { return "/ search  n older  N newer  End follow  left right scroll"; }

}  // namespace dscope
