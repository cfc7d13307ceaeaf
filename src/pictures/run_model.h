// RunModel: everything that pictures show of a run: the elements of all aggregations with their latest values and their
// history, the last rows, faults and drops. Its memory is bounded except for the number of elements, which aggsize
// bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pictures/run_update.h"

namespace dscope {

struct PictureElement {
  std::vector<PictureKey> keys;
  PictureValue value;
  bool is_removed = false;  // by trunc(@a, n), or expired: not shown
  bool is_overflow = false;
  int64_t created_ns = 0;  // since 1970; 0: with the run
};

// How an element changed within an interval. Additive numbers: the difference is `amount`, and the bounds are 0.
// Buckets: the difference of the count of the bucket [low, high). Other functions: the new number is `amount`.
struct HistoryCell {
  uint32_t element = 0;  // all_elements if there were too many cells to keep them by element
  int64_t low = 0, high = 0;
  int64_t amount = 0;
};
inline constexpr uint32_t all_elements = ~0U;

struct HistoryInterval {
  int64_t begin_ns = 0, end_ns = 0;  // since 1970
  std::vector<HistoryCell> cells;
};

// Adjacent intervals are joined in pairs when there are too many of them, so that the history always reaches back to
// the start of the run. percentile() has no history.
class AggregationHistory {
 public:
  static constexpr size_t max_intervals = 3600;
  static constexpr size_t default_max_cells = 1'000'000;

  explicit AggregationHistory(bool is_additive, size_t max_cells = default_max_cells)
      : is_additive_(is_additive), max_cells_(max_cells) {}
  // The interval from the end of the last one (or `begin_ns`) to `end_ns`. Does nothing if `end_ns` is not later.
  void add(int64_t begin_ns, int64_t end_ns, std::vector<HistoryCell> cells);
  // The number of the element is used for another one from now on.
  void forget(uint32_t element);

  const std::vector<HistoryInterval>& intervals() const { return intervals_; }
  bool has_elements() const { return has_elements_; }  // false: all cells are of all_elements

 private:
  void join_pairs();
  void drop_elements();
  void normalize(std::vector<HistoryCell>& cells) const;

  bool is_additive_;
  size_t max_cells_;
  bool has_elements_ = true;
  size_t cell_count_ = 0;
  std::vector<HistoryInterval> intervals_;
};

struct AggregationModel {
  PictureAggregation info;
  std::vector<PictureElement> elements;  // including removed ones
  AggregationHistory history;
  std::vector<uint32_t> places = {};  // by the number of an update: the index in `elements`
  // By index in `elements`: the values that an earlier run has ended with; may be shorter.
  std::vector<PictureValue> carried = {};
};

class RunModel {
 public:
  static constexpr size_t max_notices = 1000;  // faults, drops: the first ones are kept, the others counted
  struct Limits {
    size_t max_rows = 100'000;                                         // the oldest rows expire and are counted
    size_t max_history_cells = AggregationHistory::default_max_cells;  // of an aggregation
  };

  explicit RunModel(RunStart start) : RunModel(std::move(start), Limits{}) {}
  RunModel(RunStart start, const Limits& limits);
  void add(RunUpdate update);
  void end(RunEnd end) { end_ = end; }

  const RunStart& start() const { return start_; }
  const std::optional<RunEnd>& end() const { return end_; }
  int64_t last_time_ns() const { return last_time_ns_; }  // of the last update; since 1970
  const std::vector<AggregationModel>& aggregations() const { return aggregations_; }
  const std::deque<PictureRow>& rows() const { return rows_; }
  // Rows that were printed but are no longer in rows(), the oldest ones, because there were too many.
  uint64_t expired_rows() const { return expired_rows_; }
  // Rows that never arrived: the kernel had no space for their records, or an update left them out.
  uint64_t dropped_rows() const { return dropped_rows_; }
  const std::vector<PictureFault>& faults() const { return faults_; }
  uint64_t fault_count() const { return fault_count_; }
  const std::vector<PictureDrop>& drops() const { return drops_; }
  uint64_t drop_count() const { return drop_count_; }
  const std::map<std::string, uint64_t>& drop_counts() const { return drop_counts_; }  // by PictureDrop::kind
  const RunCost& cost() const { return cost_; }
  const std::vector<TableFill>& fills() const { return fills_; }
  // Goes on where `earlier` has ended: aggregations of the same name, function and source get its elements. Their
  // values are added up by the rules of the function; those of percentile() stay as they are.
  // Returns for each aggregation whether it does.
  std::vector<bool> continue_from(const RunModel& earlier);
  // Removes the elements of the earlier run that have not appeared in this one.
  void expire_carried();

 private:
  void apply(const RunUpdate& update);

  Limits limits_;
  RunStart start_;
  std::optional<RunEnd> end_;
  int64_t last_time_ns_;
  std::vector<AggregationModel> aggregations_;
  std::deque<PictureRow> rows_;
  uint64_t expired_rows_ = 0, dropped_rows_ = 0;
  std::vector<PictureFault> faults_;
  uint64_t fault_count_ = 0;
  std::vector<PictureDrop> drops_;
  uint64_t drop_count_ = 0;
  std::map<std::string, uint64_t> drop_counts_;
  RunCost cost_;
  std::vector<TableFill> fills_;
};

}  // namespace dscope
