// LogPane: the rows that the program prints, oldest first. Follows the end until the user scrolls up. A row may have
// several lines.
#pragma once

#include <cstdint>
#include <string>

#include "live/pane.h"

namespace dscope {

class LogPane : public LivePane {
 public:
  void begin_run() override;
  void draw(Canvas& canvas, ScreenArea area, const RunModel& model) override;
  bool handle(const KeyPress& key, const RunModel& model) override;
  const TextFilter& filter() const override { return search_; }
  // Goes to the latest match at or above the last line of the screen.
  void set_filter(TextFilter filter, const RunModel& model) override;
  std::string summary(const RunModel& model) const override;
  std::string key_hints() const override;
  bool searches() const override { return true; }

 private:
  // A line of a row. Rows are numbered from the start of the run, so that the position stays when old ones are dropped.
  struct Position {
    uint64_t row = 0;
    size_t line = 0;

    bool operator==(const Position&) const = default;
  };

  uint64_t first_row(const RunModel& model) const { return model.expired_rows(); }
  uint64_t end_row(const RunModel& model) const { return model.expired_rows() + model.rows().size(); }
  const PictureRow& row_at(const RunModel& model, uint64_t row) const {
    return model.rows()[static_cast<size_t>(row - model.expired_rows())];
  }
  Position moved(const RunModel& model, Position from, int64_t lines) const;
  Position last_top(const RunModel& model) const;
  void keep_within(const RunModel& model);
  void scroll(const RunModel& model, int64_t lines);
  void find_match(const RunModel& model, uint64_t from, bool is_older);
  void draw_line(Canvas& canvas, ScreenArea area, int row, const PictureRow& from, size_t line, bool is_found) const;

  bool is_following_ = true;
  Position top_;
  int skipped_columns_ = 0;
  TextFilter search_;
  bool has_match_ = false;
  uint64_t match_ = 0;  // the row
  int page_ = 1;        // rows of the last drawing
};

}  // namespace dscope
