#include "live/tree_pane.h"

#include <algorithm>
#include <utility>

#include "support/format.h"

namespace dscope {

TreePane::TreePane(uint32_t aggregation, const PictureAggregation& info)
    : aggregation_(aggregation), is_unsigned_(info.is_unsigned), units_(default_units(info)) {}

void TreePane::begin_run() {
  tree_ = StackTree{is_inverted_};
  expanded_.clear();
  cursor_ = {};
  selected_node_ = StackTree::root;
  updated_ns_ = -1;
}

void TreePane::update(const RunModel& model) {
  const AggregationModel& aggregation = model.aggregations()[aggregation_];
  if (model.last_time_ns() != updated_ns_) {
    tree_.update(aggregation);
    updated_ns_ = model.last_time_ns();
    if (!filter_.is_empty()) mark_matches();
  }
  collect_lines();
}

// With a filter: shows matching nodes, what is above them, and what is below them once it is expanded.
void TreePane::mark_matches() {
  shown_.assign(tree_.size(), false);
  leads_to_match_.assign(tree_.size(), false);
  std::vector<bool> matches(tree_.size(), false);
  for (uint32_t i = 1; i < tree_.size(); ++i) {
    matches[i] = filter_.matches(tree_.text(i));
    shown_[i] = matches[i] || (tree_.node(i).parent != StackTree::root && shown_[tree_.node(i).parent]);
  }
  for (uint32_t i = static_cast<uint32_t>(tree_.size()); i-- > 1;)
    if (matches[i] || leads_to_match_[i]) leads_to_match_[tree_.node(i).parent] = true;
  for (uint32_t i = 1; i < tree_.size(); ++i) shown_[i] = shown_[i] || leads_to_match_[i];
}

void TreePane::collect_lines() {
  lines_.clear();
  struct Pending {
    uint32_t node;
    int depth;
  };
  std::vector<Pending> pending;
  auto push_children = [&](uint32_t node, int depth) {
    std::vector<uint32_t> children = tree_.sorted_children(node);
    for (size_t i = children.size(); i-- > 0;)
      if (filter_.is_empty() || shown_[children[i]]) pending.push_back({children[i], depth});
  };
  push_children(StackTree::root, 0);
  while (!pending.empty()) {
    Pending next = pending.back();
    pending.pop_back();
    const StackTree::Node& node = tree_.node(next.node);
    bool has_children =
        std::ranges::any_of(node.children, [&](uint32_t child) { return tree_.node(child).total != 0; });
    lines_.push_back({.node = next.node, .depth = next.depth, .has_children = has_children});
    if (has_children && is_open(next.node)) push_children(next.node, next.depth + 1);
  }
  auto selected = std::ranges::find(lines_, selected_node_, &Line::node);
  if (selected != lines_.end()) cursor_.selected = static_cast<size_t>(selected - lines_.begin());
  cursor_.fit(lines_.size(), static_cast<size_t>(std::max(area_.rows - 1, 1)));
}

void TreePane::set_filter(TextFilter filter, const RunModel& model) {
  filter_ = std::move(filter);
  if (!filter_.is_empty()) mark_matches();
  update(model);
}

// A chain of only children opens at once.
void TreePane::expand(uint32_t node) {
  for (;;) {
    expanded_.insert(node);
    std::vector<uint32_t> children = tree_.sorted_children(node);
    if (children.size() != 1) return;
    node = children.front();
  }
}

void TreePane::expand_hottest(uint32_t node) {
  for (;;) {
    std::vector<uint32_t> children = tree_.sorted_children(node);
    if (children.empty()) break;
    expanded_.insert(node);
    // Most of the value ends here: what is below is not hotter.
    if (tree_.node(node).self > tree_.node(children.front()).total) break;
    node = children.front();
  }
  selected_node_ = node;
}

void TreePane::step_right() {
  if (lines_.empty()) return;
  const Line& line = lines_[cursor_.selected];
  if (line.has_children && !is_open(line.node)) expand(line.node);
  else if (line.has_children && cursor_.selected + 1 < lines_.size())
    selected_node_ = lines_[cursor_.selected + 1].node;
}

void TreePane::step_left() {
  if (lines_.empty()) return;
  const Line& line = lines_[cursor_.selected];
  if (line.has_children && expanded_.contains(line.node)) expanded_.erase(line.node);
  else if (tree_.node(line.node).parent != StackTree::root) selected_node_ = tree_.node(line.node).parent;
}

bool TreePane::handle_character(char32_t character, const RunModel& model) {
  switch (character) {
    case U'i':
      is_inverted_ = !is_inverted_;
      begin_run();
      update(model);
      return true;
    case U'e':
      if (!lines_.empty()) expand_hottest(lines_[cursor_.selected].node);
      return true;
    case U'c':
      expanded_.clear();
      selected_node_ = StackTree::root;
      cursor_ = {};
      return true;
    case U'u': units_ = next_units(units_); return true;
    default: return false;
  }
}

bool TreePane::handle(const KeyPress& key, const RunModel& model) {
  update(model);
  bool is_used = true;
  switch (key.kind) {
    case KeyPress::Kind::Enter:
      if (!lines_.empty() && is_open(lines_[cursor_.selected].node)) step_left();
      else step_right();
      break;
    case KeyPress::Kind::Right: step_right(); break;
    case KeyPress::Kind::Left: step_left(); break;
    case KeyPress::Kind::Click: {
      size_t line = cursor_.top + static_cast<size_t>(std::max(key.row - area_.row - 1, 0));
      if (key.row <= area_.row || key.row >= area_.row + area_.rows || line >= lines_.size()) return false;
      // A click on the selected line opens or closes it.
      if (selected_node_ == lines_[line].node) return handle({.kind = KeyPress::Kind::Enter}, model);
      selected_node_ = lines_[line].node;
      break;
    }
    default:
      if (cursor_.handle(key, lines_.size(), static_cast<size_t>(std::max(area_.rows - 1, 1))))
        selected_node_ = lines_.empty() ? StackTree::root : lines_[cursor_.selected].node;
      else is_used = key.kind == KeyPress::Kind::Character && handle_character(key.character, model);
  }
  collect_lines();
  return is_used;
}

void TreePane::draw_line(Canvas& canvas, int row, const Line& line) const {
  const StackTree::Node& node = tree_.node(line.node);
  int64_t all = tree_.node(StackTree::root).total;
  double share = all > 0 ? static_cast<double>(node.total) / static_cast<double>(all) : 0;
  int column = area_.column;
  ScreenStyle style = share >= 0.1 ? ScreenStyle::Strong : share < 0.01 ? ScreenStyle::Dim : ScreenStyle::Text;
  canvas.put_right(row, column + share_width, share_text(share), style, share_width);
  column += share_width + column_gap;
  int width = value_column();
  if (area_.columns >= 50) {
    canvas.put_right(row, column + width, number_within(node.total, is_unsigned_, units_, width), ScreenStyle::Text,
                     width);
    column += width + column_gap;
  }
  if (area_.columns >= 90) {
    std::string self = node.self == 0 ? "" : number_within(node.self, is_unsigned_, units_, width);
    canvas.put_right(row, column + width, self, ScreenStyle::Dim, width);
    column += width + column_gap;
  }
  // Deep nodes on a narrow screen: the indentation gives way, not the name.
  int indent = std::min(2 * line.depth, std::max(area_.columns - column - 24, 0));
  bool is_unicode = canvas.mode().is_unicode;
  std::string_view mark = " ";
  if (line.has_children && is_open(line.node)) mark = is_unicode ? "▾" : "-";
  else if (line.has_children) mark = is_unicode ? "▸" : "+";
  column += indent;
  canvas.put(row, column, mark, ScreenStyle::Dim);
  column += 2;
  ScreenStyle name_style = node.is_key ? ScreenStyle::Strong : node.is_kernel ? ScreenStyle::Kernel : ScreenStyle::Text;
  if (!filter_.is_empty() && filter_.matches(tree_.text(line.node))) name_style = ScreenStyle::Match;
  canvas.put(row, column, tree_.text(line.node), name_style, area_.column + area_.columns - column);
}

void TreePane::draw(Canvas& canvas, ScreenArea area, const RunModel& model) {
  area_ = area;
  update(model);
  canvas.fill(area.row, area.column, area.columns, U' ', ScreenStyle::Heading);
  int column = area.column + share_width, width = value_column();
  canvas.put_right(area.row, column, "share", ScreenStyle::SortedHeading, share_width);
  column += column_gap;
  if (area.columns >= 50) {
    canvas.put_right(area.row, column + width, "total", ScreenStyle::Heading, width);
    column += width + column_gap;
  }
  if (area.columns >= 90) {
    canvas.put_right(area.row, column + width, "self", ScreenStyle::Heading, width);
    column += width + column_gap;
  }
  canvas.put(area.row, column, is_inverted_ ? "innermost frames and their callers" : "frames, callers first",
             ScreenStyle::Heading, area.column + area.columns - column);
  int rows = area.rows - 1;
  for (int i = 0; i < rows && cursor_.top + static_cast<size_t>(i) < lines_.size(); ++i) {
    size_t line = cursor_.top + static_cast<size_t>(i);
    draw_line(canvas, area.row + 1 + i, lines_[line]);
    if (line == cursor_.selected) canvas.restyle(area.row + 1 + i, area.column, area.columns, ScreenStyle::Selected);
  }
  if (lines_.empty())
    canvas.put(area.row + 1, area.column + 1, filter_.is_empty() ? "nothing yet" : "nothing matches the filter",
               ScreenStyle::Dim, area.columns - 1);
}

std::string TreePane::summary(const RunModel& model) const {
  size_t stacks = model.aggregations()[aggregation_].elements.size();
  std::string text = number_text(static_cast<int64_t>(stacks), true, NumberUnits::Digits) + " stacks";
  return is_inverted_ ? text + ", inverted" : text;
}

// The next key divides all stacks if a stack is the only key. Other keys must be chosen in the table.
std::optional<uint32_t> TreePane::drilled_element(const RunModel& model) const {
  const AggregationModel& shown = model.aggregations()[aggregation_];
  return shown.info.keys.size() == 1 && !shown.elements.empty() ? std::optional{0U} : std::nullopt;
}

std::string TreePane::key_hints() const {
  return "Enter expand  d drill down  e hottest path  i invert  c collapse  t table";
}

}  // namespace dscope
