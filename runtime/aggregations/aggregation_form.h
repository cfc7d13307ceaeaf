// The forms in which whole aggregations are printed besides the default text: a table of bars (option agghist), CSV and
// folded stacks (option format). Each function appends one row; AggregationSet makes the rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/aggregations/aggregation_value.h"
#include "runtime/format/value_printer.h"

namespace dscope {

struct AggregationEntry;

// One key with the value of each aggregation that is printed with it. The value of an aggregation that lacks the key is
// all zeroes.
struct AggregationLine {
  struct Value {
    const AggregationPlan* plan;
    std::vector<int64_t> words;
    uint64_t normal;                // not 0
    const AggregationEntry* entry;  // null: the aggregation lacks the key
  };
  const AggregationPlan* key_plan;  // describes the fields of `key`
  const std::byte* key;
  std::vector<Value> values;  // at least one
};

// CSV (RFC 4180, but lines end with a bare newline): a header line, then a line per row, or per bucket if one of the
// aggregations is a distribution. Columns: the keys by their expressions (keyN for those without a name), bucket if
// there is a distribution, one per aggregation under its name, but one per percentile of percentile(): @name.p50.
void append_csv_cell(std::string& out, std::string_view text);
void append_csv_line(std::string& out, const std::vector<std::string>& cells);
// Appends numbers to repeated names, because readers look columns up by name.
std::vector<std::string> unique_names(std::vector<std::string> names);
std::vector<std::string> csv_column_names(std::span<const AggregationPlan* const> plans);
void append_csv_header(std::string& out, std::span<const AggregationPlan* const> plans);
void append_csv_row(std::string& out, const AggregationLine& row, const ValuePrinter& values);

// "key;outermost frame;...;innermost frame value", the input of flame graph tools: one line per row, for the first
// aggregation only. The value of a distribution is the sum of its buckets. A row of value 0 or without keys appends
// nothing. Frames of the process precede frames of the kernel, whatever the order of the keys. If all stacks are empty,
// `[user]`, `[kernel]` or `[idle]` stands for them. is_folded(): a key is a stack or the address of code, a frame.
bool is_folded(const AggregationPlan& plan);
void append_folded_keys(std::string& out, std::span<const Field> keys, const std::byte* base,
                        const ValuePrinter& values);
void append_folded_row(std::string& out, const AggregationLine& row, const ValuePrinter& values);

// The line above the default form of rows with columns of percentile(): p50 p95 p99 in the columns' width, and @name
// for other numbers that are printed with them.
bool has_column_header(std::span<const AggregationPlan* const> plans);
void append_column_header(std::string& out, std::span<const AggregationPlan* const> plans);
// The titles of an aggregation's columns as append_column_header() prints them, without the blanks in front.
std::string column_titles(const AggregationPlan& plan);

// Option agghist: keyed count() and sum() as one table of bars. `total` is the sum of the magnitudes of all rows.
bool has_bar_form(const AggregationPlan& plan);
void append_bar_header(std::string& out, const AggregationPlan& plan);
void append_bar_row(std::string& out, const AggregationLine& row, long double total, const ValuePrinter& values);

bool is_stack(const Field& field);
// One key field as text: numbers in decimal, strings as ValuePrinter::append_text writes them, stacks as frames joined
// by `;` from the outermost to the innermost, opaque bytes in hexadecimal.
std::string key_text(const Field& field, const std::byte* key, const ValuePrinter& values);

}  // namespace dscope
