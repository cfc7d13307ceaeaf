// AggregationSet: all aggregations of a run. Takes snapshots on demand, joins and sorts elements, prints them for
// printa() and at exit (consumer-and-actions.md 5.5 to 5.8).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/aggregations/aggregation_form.h"
#include "runtime/aggregations/aggregation_key.h"
#include "runtime/aggregations/aggregation_table.h"
#include "runtime/format/output_format.h"
#include "runtime/format/printf_formatter.h"

namespace dscope {

// Sees what happens to aggregations besides updates, for totals over the whole run.
class AggregationObserver {
 public:
  virtual ~AggregationObserver() = default;
  virtual void on_printed(uint32_t id) = 0;
  // clear() or trunc(@a) follows. `entries`: the last values.
  virtual void before_reset(uint32_t id, const std::vector<AggregationEntry>& entries) = 0;
};

class AggregationSet {
 public:
  // The references outlive the set.
  AggregationSet(const ProgramPlan& plan, const ValuePrinter& values, AggregationSource& source, OutputStream& messages,
                 std::string program_name);

  // After this call the first use of an aggregation takes a new snapshot, unless the last one is younger than option
  // aggrate.
  void begin_pass();
  // Tracing is ending: snapshots no longer wait for option aggrate.
  void ignore_rate() { ignores_rate_ = true; }

  // Key columns are as wide as their data, for terminals of `line_width` columns: longer rows have shortened text keys.
  // Without this call the columns have the default widths of their types.
  void fit_columns(size_t line_width) { line_width_ = line_width; }

  void clear(uint32_t id);
  void truncate(uint32_t id, std::optional<int64_t> keep);
  // A divisor of 0 is ignored with a message.
  void normalize(uint32_t id, uint64_t normal);
  void denormalize(uint32_t id) { tables_[id].table.normal = 1; }

  // Appends printa(@a, ...), or with `format` printa("format", @a, ...).
  void printa(std::string& out, const std::vector<uint32_t>& ids, const FormatPlan* format);
  // Calls `visitor` with the lines that printa() would print: one per key, in order. Counts as printing.
  void visit(const std::vector<uint32_t>& ids, const std::function<void(const AggregationLine&)>& visitor);
  // Format folded: false if printa() of these aggregations appends text, because they have no stack.
  bool is_folded(const std::vector<uint32_t>& ids) const { return form_of(ids) == OutputFormat::Folded; }
  // Prints every aggregation that no printa() has printed; in format folded, those without a stack on the message
  // stream. `has_printed`: CSV tables precede them. Returns whether there are any now.
  bool print_unprinted(OutputStream& out, bool has_printed);
  // The ids of these aggregations, in printing order.
  std::vector<uint32_t> unprinted() const;

  // `observer` outlives the set; null: none.
  void set_observer(AggregationObserver* observer) { observer_ = observer; }
  // The entries and the normal as of now. Does not count as printing, and the next printa() takes its own snapshot.
  const AggregationTable& current(uint32_t id);
  uint64_t normal(uint32_t id) const { return tables_[id].table.normal; }
  // See AggregationTable. forget(): after current(), whose entries it changes.
  bool is_limited(uint32_t id) const { return tables_[id].table.is_limited(); }
  void limit(uint32_t id, size_t max_elements) { tables_[id].table.limit(max_elements); }
  void forget(uint32_t id, std::string_view identity) { tables_[id].table.forget(identity); }

  bool has(uint32_t id) const { return id < tables_.size(); }

 private:
  struct Slot {
    AggregationTable table;
    bool is_fresh = false;  // the snapshot was taken in this pass
    bool is_read = false;
    bool is_limited = false;  // trunc(@a, n) was the last action that removed elements
    std::chrono::steady_clock::time_point read_at{};
  };
  // Aggregations that are printed together, joined by key. Each row owns one slot per aggregation in `entries` (null if
  // the aggregation lacks the key) and in `weights`. Rows are small so that sorting many of them is fast.
  struct Row {
    size_t first_slot;           // index of its first entry and weight
    uint32_t key_source;         // index into `ids`: the aggregation whose key is printed
    std::string_view order_key;  // view into an entry's identity or into rotated_keys
  };
  struct Join {
    std::vector<uint32_t> ids;
    std::vector<Row> rows;
    std::vector<const AggregationEntry*> entries;
    std::vector<AggregationWeight> weights;
    std::deque<std::string> rotated_keys;
  };
  // Empty: the default widths.
  struct ColumnWidths {
    KeyWidths keys;
    std::vector<size_t> values;  // by aggregation
  };
  class Values;

  void refresh(Slot& slot);
  AggregationTable& table(uint32_t id);
  // The format in which these aggregations are printed together.
  OutputFormat form_of(const std::vector<uint32_t>& ids) const;
  bool is_within_aggrate(const Slot& slot) const;
  Join join(const std::vector<uint32_t>& ids);
  void remove_truncated_rows(Join& join) const;
  void compute_sort_keys(Join& join) const;
  void sort(Join& join) const;
  void append_row(std::string& out, const Join& join, const Row& row, const ColumnWidths& widths) const;
  std::string value_text(const Join& join, const Row& row, size_t i) const;
  ColumnWidths column_widths(const Join& join) const;
  std::vector<const AggregationPlan*> plans_of(const Join& join) const;
  void append_titles(std::string& out, const std::vector<const AggregationPlan*>& plans,
                     const ColumnWidths& widths) const;
  AggregationLine line_of(const Join& join, const Row& row) const;
  // Appends all rows in the form that the options choose. Calls `flush` with the text whenever it has grown to 64 KiB;
  // the rest stays in `text`.
  template <typename Flush>
  void append_rows(std::string& text, const Join& join, Flush&& flush) const;
  void mark_printed(const std::vector<uint32_t>& ids);
  DistributionStyle distribution_style() const;
  void append_element_value(std::string& out, const AggregationTable& table, const AggregationEntry* entry) const;

  const ValuePrinter* values_;
  OutputStream* messages_;
  std::string program_name_;
  std::vector<Slot> tables_;
  AggregationObserver* observer_ = nullptr;
  bool ignores_rate_ = false;
  std::optional<size_t> line_width_;  // columns of the terminal; nullopt: not a terminal
};

}  // namespace dscope
