// AggregationSet: all aggregations of a run: snapshots when they are needed, order, printa(), the print at exit
// (consumer-and-actions.md 5.5 to 5.8).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "runtime/aggregations/aggregation_form.h"
#include "runtime/aggregations/aggregation_table.h"
#include "runtime/format/printf_formatter.h"

namespace dscope {

class AggregationSet {
 public:
  // The references outlive the set.
  AggregationSet(const ProgramPlan& plan, const ValuePrinter& values, AggregationSource& source, OutputStream& messages,
                 std::string program_name);

  // From now on the first use of an aggregation reads it again, unless option aggrate says that this is too soon.
  void begin_pass();
  // Tracing is ending: aggrate delays no more.
  void ignore_rate() { ignores_rate_ = true; }

  void clear(uint32_t id) { table(id).clear(); }
  void truncate(uint32_t id, std::optional<int64_t> keep) { table(id).truncate(keep); }
  // A divisor of 0 is refused with a message.
  void normalize(uint32_t id, uint64_t normal);
  void denormalize(uint32_t id) { tables_[id].table.normal = 1; }

  // printa(@a, ...), or with `format` printa("format", @a, ...).
  void printa(std::string& out, const std::vector<uint32_t>& ids, const FormatPlan* format);
  // The same as data: one line per key, in order.
  void visit(const std::vector<uint32_t>& ids, const std::function<void(const AggregationLine&)>& take);
  // Every aggregation that no printa() has printed.
  void print_unprinted(OutputStream& out);
  // Their ids, in the order in which they are printed.
  std::vector<uint32_t> unprinted() const;

  bool has(uint32_t id) const { return id < tables_.size(); }

 private:
  struct Slot {
    AggregationTable table;
    bool is_fresh = false;  // read in this pass
    bool is_read = false;
    std::chrono::steady_clock::time_point read_at{};
  };
  // Aggregations printed together, joined by key: one row per key, with one place per aggregation in `entries` (null
  // where it lacks the key) and in `weights`. Rows are small so that sorting many of them is quick.
  struct Row {
    size_t place;                // of its first entry and weight
    uint32_t first;              // the aggregation whose key is shown
    std::string_view order_key;  // into an entry's identity, or into rotated_keys
  };
  struct Join {
    std::vector<uint32_t> ids;
    std::vector<Row> rows;
    std::vector<const AggregationEntry*> entries;
    std::vector<AggregationWeight> weights;
    std::deque<std::string> rotated_keys;
  };
  class Values;

  AggregationTable& table(uint32_t id);
  bool is_too_soon(const Slot& slot) const;
  Join join(const std::vector<uint32_t>& ids);
  void weigh(Join& join) const;
  void sort(Join& join) const;
  void append_row(std::string& out, const Join& join, const Row& row) const;
  AggregationLine row_of(const Join& join, const Row& row) const;
  // All rows in the form that the options choose; every piece that has grown to some size goes to `flush`, the rest
  // stays in `text`.
  template <typename Flush>
  void append_rows(std::string& text, const Join& join, Flush&& flush) const;
  void mark_printed(const std::vector<uint32_t>& ids);
  DistributionStyle distribution_style() const;
  void append_element_value(std::string& out, const AggregationTable& table, const AggregationEntry* entry) const;

  const ValuePrinter* values_;
  OutputStream* messages_;
  std::string program_name_;
  std::vector<Slot> tables_;
  bool ignores_rate_ = false;
};

}  // namespace dscope
