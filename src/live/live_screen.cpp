#include "live/live_screen.h"

#include <algorithm>
#include <utility>

#include "live/distribution_pane.h"
#include "live/help_text.h"
#include "live/log_pane.h"
#include "live/table_pane.h"
#include "live/tree_pane.h"
#include "support/format.h"

namespace dscope {

// The forms of a tab: a table, or a tree and a table.
struct LiveScreen::Tab {
  std::string name;
  std::optional<uint32_t> aggregation;  // nothing: the rows
  PictureAggregation info;
  std::vector<std::unique_ptr<LivePane>> forms;
  size_t form = 0;
};

namespace {

constexpr int min_rows_for_hints = 12;

bool has_stacks(const PictureAggregation& info, const RunModel& model, uint32_t aggregation) {
  const std::vector<PictureElement>& elements = model.aggregations()[aggregation].elements;
  if (!info.is_additive() || info.is_distribution()) return false;
  // Before the first element, the D expressions of the keys tell.
  if (elements.empty())
    return std::ranges::any_of(info.keys, [](const std::string& key) {
      return key.find("stack") != key.npos && key.find("depth") == key.npos;
    });
  return std::ranges::any_of(elements.front().keys, [](const PictureKey& key) { return key.kind == KeyKind::Stack; });
}

// As many hints, which two blanks separate, as fit into `columns`.
std::string hints_within(std::string hints, int columns) {
  while (static_cast<int>(hints.size()) > columns) {
    size_t last = hints.rfind("  ");
    if (last == hints.npos) return {};
    hints.resize(last);
  }
  return hints;
}

}  // namespace

LiveScreen::LiveScreen(const RunModel& model) {
  for (uint32_t i = 0; i < model.aggregations().size(); ++i) {
    const PictureAggregation& info = model.aggregations()[i].info;
    Tab& tab = tabs_.emplace_back();
    tab.name = "@" + (info.name == "_" ? "" : info.name);
    tab.aggregation = i;
    tab.info = info;
    if (info.is_distribution()) {
      tab.forms.push_back(std::make_unique<DistributionPane>(i, info));
      continue;
    }
    if (has_stacks(info, model, i)) tab.forms.push_back(std::make_unique<TreePane>(i, info));
    tab.forms.push_back(std::make_unique<TablePane>(i, info));
  }
  Tab& rows = tabs_.emplace_back();
  rows.name = "rows";
  rows.forms.push_back(std::make_unique<LogPane>());
}

LiveScreen::~LiveScreen() = default;
LiveScreen::LiveScreen(LiveScreen&&) noexcept = default;
LiveScreen& LiveScreen::operator=(LiveScreen&&) noexcept = default;

void LiveScreen::begin_run(const RunModel& model) {
  bool is_same = tabs_.size() == model.aggregations().size() + 1;
  for (size_t i = 0; is_same && i < model.aggregations().size(); ++i) {
    const PictureAggregation& info = model.aggregations()[i].info;
    is_same =
        tabs_[i].info.name == info.name && tabs_[i].info.function == info.function && tabs_[i].info.keys == info.keys;
  }
  if (!is_same) {
    *this = LiveScreen{model};
    return;
  }
  for (Tab& tab : tabs_)
    for (const std::unique_ptr<LivePane>& form : tab.forms) form->begin_run();
}

LivePane& LiveScreen::pane() const { return *tabs_[current_].forms[tabs_[current_].form]; }

void LiveScreen::set_message(std::string message, bool is_warning) {
  message_ = std::move(message);
  is_warning_ = is_warning;
}

// Until the user chooses: the first aggregation with keys. A program without one prints rows, and counts them at most.
void LiveScreen::choose_first_tab(const RunModel& model) {
  if (has_chosen_tab_) return;
  auto keyed = std::ranges::find_if(tabs_, [](const Tab& tab) { return tab.aggregation && !tab.info.keys.empty(); });
  if (keyed != tabs_.end()) current_ = static_cast<size_t>(keyed - tabs_.begin());
  else if (!model.rows().empty()) current_ = tabs_.size() - 1;
}

void LiveScreen::select_tab(size_t tab) {
  has_chosen_tab_ = true;
  if (tab < tabs_.size()) current_ = tab;
  cover_ = Cover::Nothing;
}

// Tree or table.
void LiveScreen::switch_form() {
  Tab& tab = tabs_[current_];
  if (tab.forms.size() == 1) set_message("only aggregations of stacks have a tree and a table", true);
  tab.form = (tab.form + 1) % tab.forms.size();
}

// ---------------------------------------------------------------- keys

// The line in which a pattern is typed. The filter follows each key.
bool LiveScreen::handle_input_line(const KeyPress& key, const RunModel& model) {
  if (!input_) return false;
  switch (key.kind) {
    case KeyPress::Kind::Enter: input_.reset(); return true;
    case KeyPress::Kind::Escape:
      pane().set_filter(TextFilter{pattern_before_}, model);
      input_.reset();
      return true;
    case KeyPress::Kind::Backspace:
      if (input_->empty()) {
        input_.reset();
        return true;
      }
      // The last character with its continuation bytes.
      while (input_->size() > 1 && (static_cast<unsigned char>(input_->back()) & 0xc0) == 0x80) input_->pop_back();
      input_->pop_back();
      break;
    case KeyPress::Kind::Character:
      if (key.character < 0x20) return true;
      append_utf8(*input_, key.character);
      break;
    case KeyPress::Kind::Resize: return false;
    default: input_.reset(); return false;
  }
  pane().set_filter(TextFilter{*input_}, model);
  return true;
}

bool LiveScreen::handle_cover(const KeyPress& key) {
  if (cover_ == Cover::Nothing) return false;
  if (cover_ == Cover::Notices && notices_.handle(key)) return true;
  ListCursor cursor{.selected = help_top_, .top = help_top_};
  bool is_move =
      cover_ == Cover::Help && key.kind != KeyPress::Kind::Click && cursor.handle(key, help_lines().size(), 1);
  if (is_move) help_top_ = cursor.selected;
  bool is_close = key.kind == KeyPress::Kind::Escape || key.kind == KeyPress::Kind::Enter ||
                  (key.kind == KeyPress::Kind::Character && key.character == U'q');
  if (is_close) cover_ = Cover::Nothing;
  return is_move || is_close;
}

void LiveScreen::toggle(Cover cover) {
  cover_ = cover_ == cover ? Cover::Nothing : cover;
  help_top_ = 0;
}

LiveRequest LiveScreen::handle_character(char32_t character, const RunModel& model) {
  if (character == U'?' || character == U'!') {
    toggle(character == U'?' ? Cover::Help : Cover::Notices);
    return {};
  }
  if (pane().handle(character_key(character), model)) return {};
  if (character >= U'1' && character <= U'9') {
    select_tab(character - U'1');
    return {};
  }
  switch (character) {
    case U'q': return {.kind = LiveRequest::Kind::Quit};
    case U'd': return drill(pane().drilled_element(model));
    case U's': return {.kind = LiveRequest::Kind::SaveScript};
    case U'h': return {.kind = LiveRequest::Kind::SaveReport};
    case U'p':
    case U' ': return {.kind = LiveRequest::Kind::Pause};
    case 0x0c: return {.kind = LiveRequest::Kind::Redraw};
    case U't': switch_form(); return {};
    case U'/':
      pattern_before_ = pane().filter().pattern();
      input_ = "";
      return {};
    default: set_message("this key does nothing here, ? lists the keys"); return {};
  }
}

LiveRequest LiveScreen::handle_click(const KeyPress& key, const RunModel& model) {
  if (key.row != 0) {
    pane().handle(key, model);
    return {};
  }
  if (help_column_ >= 0 && key.column >= help_column_) toggle(Cover::Help);
  for (const TabArea& area : tab_areas_)
    if (key.column >= area.begin && key.column < area.end) select_tab(area.tab);
  return {};
}

LiveRequest LiveScreen::handle(const KeyPress& key, const RunModel& model) {
  if (key.kind == KeyPress::Kind::Resize) return {};
  message_.clear();
  is_warning_ = false;
  if (handle_input_line(key, model) || handle_cover(key)) return {};
  switch (key.kind) {
    case KeyPress::Kind::Character: return handle_character(key.character, model);
    case KeyPress::Kind::Click: return handle_click(key, model);
    case KeyPress::Kind::Tab: select_tab((current_ + 1) % tabs_.size()); return {};
    case KeyPress::Kind::BackTab: select_tab((current_ + tabs_.size() - 1) % tabs_.size()); return {};
    case KeyPress::Kind::Backspace: return {.kind = LiveRequest::Kind::Back};
    case KeyPress::Kind::Escape:
      if (!pane().filter().is_empty()) pane().set_filter(TextFilter{}, model);
      return {};
    default: break;
  }
  if (pane().handle(key, model) || key.kind != KeyPress::Kind::Enter) return {};
  return drill(pane().selected_element());
}

LiveRequest LiveScreen::drill(std::optional<uint32_t> element) const {
  const std::optional<uint32_t>& aggregation = tabs_[current_].aggregation;
  if (!element || !aggregation) return {};
  return {.kind = LiveRequest::Kind::Drill, .aggregation = *aggregation, .element = *element};
}

// ---------------------------------------------------------------- drawing

void LiveScreen::draw_tabs(Canvas& canvas, const RunModel& model) {
  int columns = canvas.size().columns;
  canvas.fill(0, 0, columns, U' ', ScreenStyle::Tab);
  tab_areas_.clear();
  std::string_view help = columns >= 60 ? " ? help " : " ? ";
  help_column_ = columns - static_cast<int>(help.size());
  std::vector<std::string> texts;
  for (size_t i = 0; i < tabs_.size(); ++i) {
    const Tab& tab = tabs_[i];
    std::string text = tabs_.size() > 1 && i < 9 ? fmt::format(" {} {}", i + 1, tab.name) : " " + tab.name;
    if (!tab.aggregation && !model.rows().empty())
      text += " " + number_within(static_cast<int64_t>(model.expired_rows() + model.rows().size()), true,
                                  NumberUnits::Digits, 9);
    texts.push_back(text + " ");
  }
  // The current tab must be visible.
  auto width_of = [&](size_t i) { return text_width(texts[i], canvas.mode().is_unicode, 60); };
  first_tab_ = std::min(first_tab_, current_);
  auto end_of_current = [&] {
    int end = 0;
    for (size_t i = first_tab_; i <= current_; ++i) end += width_of(i);
    return end;
  };
  while (first_tab_ < current_ && end_of_current() > help_column_) ++first_tab_;
  int column = 0;
  for (size_t i = first_tab_; i < tabs_.size() && column < help_column_; ++i) {
    int begin = column;
    ScreenStyle style = i == current_ && cover_ == Cover::Nothing ? ScreenStyle::CurrentTab : ScreenStyle::Tab;
    column += canvas.put(0, column, texts[i], style, std::min(help_column_ - column, 60));
    tab_areas_.push_back({.tab = i, .begin = begin, .end = column});
  }
  canvas.put(0, help_column_, help, cover_ == Cover::Help ? ScreenStyle::CurrentTab : ScreenStyle::Tab);
}

void LiveScreen::draw_path(Canvas& canvas, const LiveStatus& status) const {
  std::string text;
  for (const std::string& step : status.path) text += (canvas.mode().is_unicode ? " ▸ " : " > ") + step;
  int columns = canvas.size().columns, width = text_width(text, canvas.mode().is_unicode);
  // The last steps count.
  if (width > columns) text = text_after(text, width - columns, canvas.mode().is_unicode);
  canvas.put(1, 0, text, ScreenStyle::Strong);
}

// "00:01:23  drops 0  faults 0  CPU 1.2%  the program". Drops and faults come before what a narrow screen clips.
void LiveScreen::draw_status(Canvas& canvas, int row, const RunModel& model, const LiveStatus& status) const {
  int columns = canvas.size().columns, column = 1;
  canvas.fill(row, 0, columns, U' ', ScreenStyle::Status);
  auto append = [&](std::string_view text, ScreenStyle style) {
    if (column < columns) column += canvas.put(row, column, text, style) + (columns >= 60 ? 2 : 1);
  };
  append(elapsed_text(model.last_time_ns() - model.start().start_ns), ScreenStyle::Status);
  if (is_paused_) append("PAUSED", ScreenStyle::Warning);
  if (model.end()) append("ended", ScreenStyle::Warning);
  auto count = [&](std::string_view name, uint64_t number) {
    std::string text = number_within(static_cast<int64_t>(number), true, NumberUnits::Digits, 9);
    append(fmt::format("{} {}", name, text), number > 0 ? ScreenStyle::Warning : ScreenStyle::Status);
  };
  count("drops", model.drop_count());
  count("faults", model.fault_count());
  append(fmt::format("CPU {:.1f}%", status.own_cpu_percent), ScreenStyle::Status);
  std::string program = status.program.empty() ? model.start().command_line : status.program;
  std::ranges::replace(program, '\n', ' ');
  append(program, ScreenStyle::Status);
}

// The pattern that is typed, a message, or the most useful keys; and the status text of the pane.
void LiveScreen::draw_last_line(Canvas& canvas, int row, const RunModel& model, const LiveStatus& status) const {
  int columns = canvas.size().columns;
  bool is_unicode = canvas.mode().is_unicode;
  std::string summary = pane().summary(model);
  if (!pane().filter().is_empty() && !input_) summary += " /" + pane().filter().pattern();
  int width = std::min(text_width(summary, is_unicode), columns / 2);
  int room = columns - (width > 0 ? width + 3 : 0) - 1;
  canvas.put_right(row, columns - 1, summary, ScreenStyle::Dim, width);
  if (input_) {
    int used =
        canvas.put(row, 1, (pane().searches() ? "search: " : "filter: ") + *input_, ScreenStyle::Strong, room - 1);
    canvas.put(row, 1 + used, is_unicode ? "▏" : "_", ScreenStyle::Strong, 1);
    return;
  }
  const std::string& message = message_.empty() ? status.message : message_;
  if (!message.empty()) canvas.put(row, 1, message, is_warning_ ? ScreenStyle::Warning : ScreenStyle::Strong, room);
  else if (canvas.size().rows >= min_rows_for_hints) {
    std::string_view notices = model.drop_count() + model.fault_count() != 0 ? "! drops, faults  " : "";
    std::string hints = fmt::format("q quit  ? help  {}{}  p pause", notices, pane().key_hints());
    canvas.put(row, 1, hints_within(hints, room), ScreenStyle::Dim, room);
  }
}

void LiveScreen::draw_help(Canvas& canvas, ScreenArea area) {
  auto lines = help_lines();
  // Two columns where there is room.
  int columns = area.columns >= 130 ? 2 : 1;
  auto rows = static_cast<size_t>(std::max(area.rows, 1));
  size_t shown = rows * static_cast<size_t>(columns);
  help_top_ = std::min(help_top_, lines.size() > shown ? lines.size() - shown : 0);
  for (size_t i = help_top_; i < lines.size() && i - help_top_ < shown; ++i) {
    size_t at = i - help_top_;
    int row = area.row + static_cast<int>(at % rows);
    int column = area.column + 1 + static_cast<int>(at / rows) * (area.columns / 2);
    const HelpLine& line = lines[i];
    int width = area.columns / columns - 2;
    if (line.keys.empty()) canvas.put(row, column, line.text, ScreenStyle::Strong, width);
    else {
      canvas.put(row, column + 1, line.keys, ScreenStyle::Text, 18);
      canvas.put(row, column + 20, line.text, ScreenStyle::Dim, width - 20);
    }
  }
}

Canvas LiveScreen::draw(const RunModel& model, const LiveStatus& status, ScreenSize size, DrawingMode mode) {
  Canvas canvas{size, mode};
  if (size.rows < 4 || size.columns < 12) {
    canvas.put(0, 0, "too small", ScreenStyle::Text);
    return canvas;
  }
  choose_first_tab(model);
  draw_tabs(canvas, model);
  int top = 1, bottom = size.rows - 2;
  if (!status.path.empty()) {
    draw_path(canvas, status);
    ++top;
  }
  ScreenArea area{.row = top, .column = 0, .rows = bottom - top, .columns = size.columns};
  if (cover_ == Cover::Help) draw_help(canvas, area);
  else if (cover_ == Cover::Notices) notices_.draw(canvas, area, model);
  else pane().draw(canvas, area, model);
  draw_status(canvas, bottom, model, status);
  draw_last_line(canvas, bottom + 1, model, status);
  return canvas;
}

}  // namespace dscope
