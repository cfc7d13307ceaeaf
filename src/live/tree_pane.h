// TreePane: the stacks of an aggregation as a tree that expands and collapses, with the share and the value of each
// node.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "live/list_cursor.h"
#include "live/number_text.h"
#include "live/pane.h"
#include "live/stack_tree.h"

namespace dscope {

class TreePane : public LivePane {
 public:
  TreePane(uint32_t aggregation, const PictureAggregation& info);

  void begin_run() override;
  void draw(Canvas& canvas, ScreenArea area, const RunModel& model) override;
  bool handle(const KeyPress& key, const RunModel& model) override;
  const TextFilter& filter() const override { return filter_; }
  void set_filter(TextFilter filter, const RunModel& model) override;
  std::optional<uint32_t> drilled_element(const RunModel& model) const override;
  std::string summary(const RunModel& model) const override;
  std::string key_hints() const override;

 private:
  struct Line {
    uint32_t node = 0;
    int depth = 0;
    bool has_children = false;
  };

  void update(const RunModel& model);
  void collect_lines();
  void mark_matches();
  void expand(uint32_t node);
  void expand_hottest(uint32_t node);
  bool is_open(uint32_t node) const {
    return expanded_.contains(node) || (!filter_.is_empty() && leads_to_match_[node]);
  }
  bool handle_character(char32_t character, const RunModel& model);
  void step_left();
  void step_right();
  void draw_line(Canvas& canvas, int row, const Line& line) const;
  int value_column() const { return units_ == NumberUnits::Digits ? 13 : 9; }

  uint32_t aggregation_;
  bool is_unsigned_;
  NumberUnits units_;
  bool is_inverted_ = false;
  StackTree tree_{/*is_inverted=*/false};
  TextFilter filter_;
  std::unordered_set<uint32_t> expanded_;
  std::vector<bool> shown_, leads_to_match_;  // by node, if there is a filter
  std::vector<Line> lines_;
  ListCursor cursor_;
  uint32_t selected_node_ = StackTree::root;
  int64_t updated_ns_ = -1;
  ScreenArea area_;
};

}  // namespace dscope
