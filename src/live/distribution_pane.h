// DistributionPane: an aggregation of quantize() and its relatives: a list of the keys, and for the selected one or all
// of them a histogram, or a heat map that scrolls with time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/heat_grid.h"
#include "live/table_pane.h"

namespace dscope {

class DistributionPane : public LivePane {
 public:
  DistributionPane(uint32_t aggregation, const PictureAggregation& info);

  void begin_run() override;
  void draw(Canvas& canvas, ScreenArea area, const RunModel& model) override;
  bool handle(const KeyPress& key, const RunModel& model) override;
  const TextFilter& filter() const override { return keys_.filter(); }
  void set_filter(TextFilter filter, const RunModel& model) override { keys_.set_filter(std::move(filter), model); }
  std::optional<uint32_t> selected_element() const override;
  std::string summary(const RunModel& model) const override;
  std::string key_hints() const override;

 private:
  void draw_picture(Canvas& canvas, ScreenArea area, const AggregationModel& model);
  void draw_histogram(Canvas& canvas, ScreenArea area) const;
  void draw_heat_map(Canvas& canvas, ScreenArea area, const AggregationModel& model);
  void draw_time_axis(Canvas& canvas, ScreenArea area, const HeatGrid& grid, int first_column) const;
  void draw_legend(Canvas& canvas, int row, int column, double largest) const;
  void draw_heat_cell(Canvas& canvas, int row, int column, int level) const;
  void update_buckets(const AggregationModel& model);
  std::string title(const AggregationModel& model) const;
  std::string bound_text(int64_t bound) const;
  std::string bucket_text(const PictureBucket& bucket, bool with_high) const;

  uint32_t aggregation_;
  bool has_keys_;
  TablePane keys_;
  HeatHistory history_;
  std::vector<PictureBucket> buckets_;       // of the selection
  std::optional<uint32_t> buckets_element_;  // for which they are
  int64_t buckets_ns_ = -1;                  // the end of the history with which they were made
  bool is_heat_map_ = false;
  size_t zoom_ = 0;  // index of the lengths of a column
};

}  // namespace dscope
