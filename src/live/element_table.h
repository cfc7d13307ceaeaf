// ElementTable: the elements of an aggregation in the order of a table, with what the model does not keep: the texts of
// the keys, the counts of distributions, rates. update() costs little if nothing has changed since the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/text_filter.h"
#include "pictures/run_model.h"

namespace dscope {

struct ElementColumn {
  enum class Kind : uint8_t { Key, Value, Rate };
  Kind kind = Kind::Value;
  size_t index = 0;  // of the key or the number
  std::string heading;
};

class ElementTable {
 public:
  // The rate is the mean of about this time.
  static constexpr int64_t rate_window_ns = 3'000'000'000;

  explicit ElementTable(const PictureAggregation& info);

  const std::vector<ElementColumn>& columns() const { return columns_; }
  size_t sort_column() const { return sort_column_; }
  bool is_ascending() const { return is_ascending_; }
  void sort_by(size_t column, bool is_ascending);
  const TextFilter& filter() const { return filter_; }
  void set_filter(TextFilter filter);

  void update(const AggregationModel& model);

  // The numbers of the elements that are shown, in the order of the table.
  const std::vector<uint32_t>& order() const { return order_; }
  size_t element_count() const { return alive_count_; }  // with those that the filter hides
  const std::string& key_text(uint32_t element, size_t key) const { return key_texts_[element * key_count_ + key]; }
  // The count of a distribution, else the number `index`.
  int64_t number(const AggregationModel& model, uint32_t element, size_t index) const;
  // Per second. Nothing if the history no longer has elements, or the function is not additive.
  std::optional<double> rate(uint32_t element) const;
  std::optional<double> total_rate() const;
  double total() const { return total_; }  // of the values of all elements
  // The share of all elements: 0 to 1. 0 if there is none.
  double share(const AggregationModel& model, uint32_t element) const;
  double largest_share() const { return total_ > 0 ? largest_ / total_ : 0; }  // of all elements
  // How the element changed in the last `count` intervals, oldest first: per second, or the value if the function is
  // not additive.
  std::vector<double> trend(const AggregationModel& model, uint32_t element, size_t count) const;

 private:
  void append_new(const AggregationModel& model);
  void count_distributions(const AggregationModel& model);
  void measure_rates(const AggregationModel& model);
  void sort(const AggregationModel& model);
  int64_t sort_number(const AggregationModel& model, uint32_t element) const;

  size_t key_count_;
  bool is_distribution_, is_additive_, is_unsigned_;
  std::vector<ElementColumn> columns_;
  size_t sort_column_;
  bool is_ascending_ = false;
  TextFilter filter_;

  // By element.
  std::vector<std::string> key_texts_;
  std::vector<bool> matches_;
  std::vector<int64_t> counts_;
  std::vector<double> rates_;

  std::vector<uint32_t> order_;
  size_t alive_count_ = 0;
  double total_ = 0, largest_ = 0, total_rate_ = 0;
  bool has_rates_ = false;
  bool is_stale_ = true;
  int64_t updated_ns_ = -1;
};

// The text of a key in one line. Stacks: their innermost frames, innermost first.
std::string key_line(const PictureKey& key);

}  // namespace dscope
