#include "live/notice_list.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/list_cursor.h"
#include "live/number_text.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr int scrolled_columns = 8;
constexpr size_t max_lines = 2 * RunModel::max_notices + 1;

struct Notice {
  int64_t first_ns = 0;
  uint64_t count = 1;  // of equal ones
  std::string text;
};

std::string digits(uint64_t number) { return number_text(static_cast<int64_t>(number), true, NumberUnits::Digits); }

// By the time of the first of equal texts.
std::vector<Notice> notices_of(const RunModel& model) {
  std::vector<Notice> notices;
  std::map<std::string_view, size_t> known;
  auto add = [&](int64_t time_ns, const std::string& text) {
    auto [found, is_new] = known.try_emplace(text, notices.size());
    if (is_new) notices.push_back({.first_ns = time_ns, .text = text});
    else ++notices[found->second].count;
  };
  for (const PictureDrop& drop : model.drops()) add(drop.time_ns, drop.text);
  for (const PictureFault& fault : model.faults()) add(fault.time_ns, fault.text);
  // Notices of the same time stay in the order in which they came.
  std::ranges::stable_sort(notices, {}, &Notice::first_ns);
  return notices;
}

std::vector<std::string> lines_of(const RunModel& model) {
  std::vector<std::string> lines;
  for (const Notice& notice : notices_of(model)) {
    std::string count = notice.count == 1 ? "" : digits(notice.count) + "x";
    lines.push_back(
        fmt::format("{}  {:>6}  {}", elapsed_text(notice.first_ns - model.start().start_ns), count, notice.text));
  }
  // The model keeps the first ones of a run.
  if (uint64_t more = model.fault_count() - model.faults().size(); more != 0)
    lines.push_back(digits(more) + " more faults are counted only");
  return lines;
}

}  // namespace

void NoticeList::draw(Canvas& canvas, ScreenArea area, const RunModel& model) {
  canvas.put(area.row, area.column + 1, "Drops and faults", ScreenStyle::Strong, area.columns - 2);
  std::vector<std::string> lines = lines_of(model);
  page_ = static_cast<size_t>(std::max(area.rows - 1, 1));
  top_ = std::min(top_, lines.size() > page_ ? lines.size() - page_ : 0);
  if (lines.empty()) canvas.put(area.row + 1, area.column + 2, "none so far", ScreenStyle::Dim, area.columns - 3);
  int row = area.row + 1;
  for (size_t i = top_; i < lines.size() && row < area.row + area.rows; ++i, ++row)
    canvas.put(row, area.column + 2, text_after(lines[i], skipped_columns_, canvas.mode().is_unicode),
               ScreenStyle::Text, area.columns - 3);
}

bool NoticeList::handle(const KeyPress& key) {
  if (key.kind == KeyPress::Kind::Left || key.kind == KeyPress::Kind::Right) {
    int step = key.kind == KeyPress::Kind::Left ? -scrolled_columns : scrolled_columns;
    skipped_columns_ = std::max(0, skipped_columns_ + step);
    return true;
  }
  ListCursor cursor{.selected = top_, .top = top_};
  bool is_used = key.kind != KeyPress::Kind::Click && cursor.handle(key, max_lines, page_);
  if (is_used) top_ = cursor.selected;
  return is_used;
}

}  // namespace dscope
